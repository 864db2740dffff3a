#include "kmeans/bic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phasemark {

double bic(double error, std::span<const double> cluster_weights, std::size_t dims, const BicTerms& terms) {
  const auto d = static_cast<double>(dims);
  const double variance = std::max(error / d, terms.variance_floor);
  double likelihood = -d / 2 * std::log(2 * std::numbers::pi * std::numbers::e * variance);
  double clusters = 0;
  for (const double weight : cluster_weights) {
    if (weight > 0) {
      likelihood += weight * std::log(weight);
      ++clusters;
    }
  }
  const double parameters = (clusters - 1) + clusters * d + 1;
  return terms.n * likelihood - parameters / 2 * std::log(terms.n);
}

}  // namespace phasemark
