#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "core/whole.hpp"

namespace phasemark {

enum class Init {
  incremental,       // the centres found for k - 1, and one more
  kmeans_plus_plus,  // greedy: of 2 + floor(ln k) candidates the one that lowers the error most
  furthest,          // the first at random, each further one as far as possible from those chosen
  sample,            // k different points at random
};

// The k x d initial centres of one run that does not build on another. Draws from `random` in a fixed order.
std::vector<double> seed_centers(const WholePoints& points, std::size_t k, Init init, Stream& random);

// A point drawn, by u in [0, 1), with probability proportional to weight x squared distance.
std::size_t draw_by_error(const WholePoints& points, std::span<const double> squared, double u);

}  // namespace phasemark
