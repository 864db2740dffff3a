#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kmeans/centers.hpp"
#include "kmeans/points.hpp"

namespace phasemark {

// The points as k-means computes with them: coordinates are whole numbers up to 2^51 in magnitude, in
// units of a power of two, and weights whole numbers from 1 to 2^40 (less for millions of points). Sums of
// weight x coordinate are then exact, whatever their order, so that a point which changes its cluster is
// taken out of one sum and added to another, and the centre is the same as if it were summed anew.
class WholePoints {
 public:
  explicit WholePoints(const Points& points);

  std::size_t n() const noexcept { return weight_.size(); }
  // Coordinates of a row here: those of the caller's, and zeros up to a multiple of kLanes.
  std::size_t d() const noexcept { return padded(dims_); }
  std::size_t dims() const noexcept { return dims_; }
  const double* row(std::size_t i) const noexcept { return x_.data() + i * d(); }
  double weight(std::size_t i) const noexcept { return weight_[i]; }
  std::span<const double> weights() const noexcept { return weight_; }
  double total_weight() const noexcept { return total_weight_; }

  // From the caller's rows to rows of whole numbers' scale, and back; exact.
  std::vector<double> scaled(const std::vector<double>& centers) const;
  std::vector<double> unscaled(const std::vector<double>& centers) const;
  // A sum of weight x squared distance, per weight, in the caller's coordinates.
  double unscaled_error(double sum) const { return sum / total_weight_ * unit_ * unit_; }

  // About `size` rows: those as heavy as a step, with their weight; of the others one for each step of weight, the
  // first `u` of a step from the beginning, which then weighs a step.
  WholePoints drawn(std::size_t size, double u) const;

 private:
  double step_of(std::size_t size) const;
  WholePoints(std::size_t dims, double unit) : dims_(dims), unit_(unit) {}

  std::size_t dims_;
  double unit_;  // a power of two
  double total_weight_ = 0;
  std::vector<double> x_, weight_;
};

// An exact sum of weight x coordinate: below 2^112.
using WholeSum = __int128;

// sum / weight, exact where it is a whole number.
inline double mean(WholeSum sum, std::int64_t weight) noexcept {
  const WholeSum quotient = sum / weight;
  const auto rest = static_cast<std::int64_t>(sum - quotient * weight);
  return static_cast<double>(quotient) + static_cast<double>(rest) / static_cast<double>(weight);
}

}  // namespace phasemark
