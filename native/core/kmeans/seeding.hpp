#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "numbers/random.hpp"
#include "kmeans/whole.hpp"

namespace phasemark {

enum class Init {
  incremental,       // the centres found for k - 1, and one more
  kmeans_plus_plus,  // greedy: as the k-th, of 2 + floor(ln k) candidates the one that lowers the error most
  furthest,          // the first at random, each further one as far as possible from those chosen
  sample,            // k different points at random
};

// The k x d initial centres of one run that does not build on another. Draws from `random` in a fixed order.
std::vector<double> seed_centers(const WholePoints& points, std::size_t k, Init init, Stream& random);

// Points drawn with probability proportional to a mass.
class Lots {
 public:
  explicit Lots(std::span<const double> mass);
  // The mass is weight x squared distance.
  Lots(const WholePoints& points, std::span<const double> squared);

  // The point for u in [0, 1): the first at which the running sum of the mass exceeds u x total (the last with mass,
  // where rounding leaves none).
  std::size_t draw(double u) const;

 private:
  std::vector<double> sums_;
};

// Greedy k-means++ (Arthur and Vassilvitskii, 2007), one centre after the other: the first k are a start for k.
class KMeansPlusPlus {
 public:
  KMeansPlusPlus(const WholePoints& points, Stream random);

  std::size_t k() const { return centers_.size() / points_->d(); }
  const std::vector<double>& centers() const { return centers_; }
  void add();

 private:
  const WholePoints* points_;
  Stream random_;
  std::vector<double> centers_;
  std::vector<double> squared_;  // to the nearest centre
  std::vector<double> to_new_, to_best_;
};

}  // namespace phasemark
