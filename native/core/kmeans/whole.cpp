#include "kmeans/whole.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace phasemark {

namespace {

constexpr int kCoordinateBits = 51;
constexpr int kWeightBits = 40;  // less for more than 2^21 points: the total stays below 2^61
// Below 2^-1000 the unit's square leaves the range of a double.
constexpr int kLargestScale = 1000;
// Added and taken away again, it rounds a number up to 2^51 to the nearest whole one.
constexpr double kRound = 0x1.8p52;

double rounded(double value) { return (value + kRound) - kRound; }

}  // namespace

WholePoints::WholePoints(const Points& points) : dims_(points.d), x_(points.n * padded(points.d)), weight_(points.n) {
  double largest = 0;
  for (std::size_t i = 0; i < points.n * points.d; ++i) largest = std::max(largest, std::fabs(points.x[i]));
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int scale = std::min(kCoordinateBits - exponent, kLargestScale);
  unit_ = std::ldexp(1.0, -scale);
  const double per_unit = std::ldexp(1.0, scale);
  for (std::size_t i = 0; i < points.n; ++i) {
    for (std::size_t j = 0; j < dims_; ++j) x_[i * d() + j] = rounded(points.x[i * dims_ + j] * per_unit);
  }

  const double heaviest = *std::max_element(points.weight, points.weight + points.n);
  const double most = std::ldexp(1.0, std::min(kWeightBits, 61 - static_cast<int>(std::bit_width(points.n))));
  for (std::size_t i = 0; i < points.n; ++i) {
    weight_[i] = std::max(1.0, rounded(points.weight[i] / heaviest * most));
    total_weight_ += weight_[i];
  }
}

WholePoints WholePoints::drawn(std::size_t size, double u) const {
  const double step = step_of(size);
  WholePoints out(dims_, unit_);
  const auto take = [&](std::size_t i, double weight) {
    out.x_.insert(out.x_.end(), row(i), row(i) + d());
    out.weight_.push_back(weight);
    out.total_weight_ += weight;
  };
  double reached = 0, next = u * step;
  for (std::size_t i = 0; i < n(); ++i) {
    if (weight_[i] >= step) {
      take(i, weight_[i]);
      continue;
    }
    reached += weight_[i];
    if (next >= reached) continue;
    take(i, std::max(1.0, rounded(step)));
    next += step;
  }
  return out;
}

// Rows as heavy as a step are taken in any case; the others share the steps that are left, which then are smaller.
double WholePoints::step_of(std::size_t size) const {
  double step = total_weight_ / static_cast<double>(size);
  while (true) {
    double light = 0;
    std::size_t heavy = 0;
    for (const double weight : weight_) {
      if (weight >= step) {
        ++heavy;
      } else {
        light += weight;
      }
    }
    if (heavy >= size || light == 0) return step;
    const double smaller = light / static_cast<double>(size - heavy);
    if (smaller >= step) return step;
    step = smaller;
  }
}

std::vector<double> WholePoints::scaled(const std::vector<double>& centers) const {
  const std::size_t k = centers.size() / dims_;
  std::vector<double> out(k * d());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < dims_; ++j) out[c * d() + j] = centers[c * dims_ + j] / unit_;
  }
  return out;
}

std::vector<double> WholePoints::unscaled(const std::vector<double>& centers) const {
  const std::size_t k = centers.size() / d();
  std::vector<double> out(k * dims_);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < dims_; ++j) out[c * dims_ + j] = centers[c * d() + j] * unit_;
  }
  return out;
}

}  // namespace phasemark
