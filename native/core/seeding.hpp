#pragma once

#include <vector>

#include "core/kmeans.hpp"
#include "core/random.hpp"

namespace phasemark {

// The k x d initial centres of one run. Draws from `random` in a fixed order.
std::vector<double> seed_centers(const Points& points, std::size_t k, Init init, Stream& random);

}  // namespace phasemark
