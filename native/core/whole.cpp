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

WholePoints::WholePoints(const Points& points) : d_(points.d), x_(points.n * points.d), weight_(points.n) {
  double largest = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) largest = std::max(largest, std::fabs(points.x[i]));
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int scale = std::min(kCoordinateBits - exponent, kLargestScale);
  unit_ = std::ldexp(1.0, -scale);
  const double per_unit = std::ldexp(1.0, scale);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = rounded(points.x[i] * per_unit);

  const double heaviest = *std::max_element(points.weight, points.weight + points.n);
  const double most = std::ldexp(1.0, std::min(kWeightBits, 61 - static_cast<int>(std::bit_width(points.n))));
  for (std::size_t i = 0; i < points.n; ++i) {
    weight_[i] = std::max(1.0, rounded(points.weight[i] / heaviest * most));
    total_weight_ += weight_[i];
  }
}

WholePoints WholePoints::drawn(std::size_t size, double u) const {
  WholePoints out(d_, unit_);
  const double step = total_weight_ / static_cast<double>(size);
  double reached = 0, next = u * step;
  for (std::size_t i = 0; i < n(); ++i) {
    reached += weight_[i];
    double times = 0;
    for (; next < reached; next += step) ++times;
    if (times == 0) continue;
    out.x_.insert(out.x_.end(), row(i), row(i) + d_);
    out.weight_.push_back(times);
    out.total_weight_ += times;
  }
  return out;
}

std::vector<double> WholePoints::scaled(std::vector<double> centers) const {
  for (double& value : centers) value /= unit_;
  return centers;
}

std::vector<double> WholePoints::unscaled(std::vector<double> centers) const {
  for (double& value : centers) value *= unit_;
  return centers;
}

}  // namespace phasemark
