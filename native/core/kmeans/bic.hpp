#pragma once

#include <cstddef>
#include <span>

namespace phasemark {

// What the score takes besides the clustering.
struct BicTerms {
  double n;               // number of observations: points, or Kish's effective number
  double variance_floor;  // least variance a dimension is credited with
};

// Bayesian information criterion of a mixture of spherical Gaussians with one variance, n L - (p/2) ln n:
// Variable-length intervals, section 7. `error` is the sum of weight x squared distance, weights sum
// to 1; p = (k - 1) + k d + 1 counts the clusters that hold weight.
double bic(double error, std::span<const double> cluster_weights, std::size_t dims, const BicTerms& terms);

}  // namespace phasemark
