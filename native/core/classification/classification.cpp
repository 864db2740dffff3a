#include "classification/classification.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace phasemark {

namespace {

// As in phases/observations.py.
constexpr int kCoordinateBits = 51;
constexpr int kLargestScale = 1000;
constexpr double kRelativeSpread = 1e-6;
constexpr double kLeastVariance = 1e-300;

// Coordinates rounded as k-means rounds them, so that equal points lie on their mean.
void round_to_grid(std::vector<double>& rows) {
  double largest = 0;
  for (const double value : rows) largest = std::max(largest, std::fabs(value));
  int exponent = 0;
  std::frexp(largest, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - kCoordinateBits, -kLargestScale));
  for (double& value : rows) value = std::nearbyint(value / unit) * unit + 0.0;
}

}  // namespace

Classification::Classification(std::vector<double> rows, std::size_t d, std::span<const std::int64_t> lengths)
    : d_(d), rows_(std::move(rows)) {
  round_to_grid(rows_);
  std::size_t n = 0;
  for (const std::int64_t length : lengths) {
    weighs_.push_back(length > 0);
    n += length > 0;
  }
  weights_.assign(n, 1.0 / static_cast<double>(n));
  for (std::size_t i = 0; n < lengths.size() && i < lengths.size(); ++i) {
    if (weighs_[i]) some_.insert(some_.end(), rows_.begin() + i * d_, rows_.begin() + (i + 1) * d_);
  }
}

std::size_t Classification::distinct(std::size_t limit) const {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < n() && seen.size() < limit; ++i) {
    seen.insert({reinterpret_cast<const char*>(clustered() + i * d_), d_ * sizeof(double)});
  }
  return seen.size();
}

std::vector<KMeansFit> Classification::fit(std::span<const std::size_t> ks, KMeansOptions options,
                                           const Progress& progress) const {
  double magnitude = 0;
  for (std::size_t i = 0; i < n() * d_; ++i) magnitude += clustered()[i] * clustered()[i];
  magnitude /= static_cast<double>(n()) * static_cast<double>(d_);
  options.bic = {static_cast<double>(n()),
                 std::max(magnitude * kRelativeSpread * kRelativeSpread, kLeastVariance)};
  return kmeans({clustered(), weights_.data(), n(), d_}, ks, options, progress);
}

Classification::Phases Classification::phases(const std::vector<double>& centers, int threads) const {
  const std::size_t all = weighs_.size(), k = centers.size() / d_;
  Phases out;
  out.labels.resize(all);
  out.distances.resize(all);
  assign(rows_.data(), all, d_, centers.data(), k, threads, out.labels.data(), out.distances.data());
  std::vector<std::int32_t> rank(k, -1);
  for (std::size_t i = 0; i < all; ++i) {
    std::int32_t& number = rank[static_cast<std::size_t>(out.labels[i])];
    if (number < 0) number = static_cast<std::int32_t>(out.k++);
    out.labels[i] = number;
    out.distances[i] = std::sqrt(out.distances[i]);
  }
  return out;
}

std::vector<Classification::Point> Classification::points(const Phases& phases) const {
  const std::size_t none = weighs_.size();
  std::vector<std::size_t> nearest(phases.k, none), size(phases.k);
  for (std::size_t i = 0; i < none; ++i) {
    if (!weighs_[i]) continue;
    const auto phase = static_cast<std::size_t>(phases.labels[i]);
    ++size[phase];
    if (nearest[phase] == none || phases.distances[i] < phases.distances[nearest[phase]]) nearest[phase] = i;
  }
  std::vector<Point> out;
  for (std::size_t phase = 0; phase < phases.k; ++phase) {
    if (nearest[phase] == none) continue;
    out.push_back({nearest[phase], static_cast<std::int32_t>(phase),
                   static_cast<double>(size[phase]) / static_cast<double>(n())});
  }
  return out;
}

}  // namespace phasemark
