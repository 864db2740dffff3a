#include "core/whole.hpp"

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
  WholePoints out(dims_, unit_);
  const double step = total_weight_ / static_cast<double>(size);
  double reached = 0, next = u * step;
  for (std::size_t i = 0; i < n(); ++i) {
    reached += weight_[i];
    double times = 0;
    for (; next < reached; next += step) ++times;
    if (times == 0) continue;
    out.x_.insert(out.x_.end(), row(i), row(i) + d());
    out.weight_.push_back(times);
    out.total_weight_ += times;
  }
  return out;
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
