#include "core/centers.hpp"

#include <algorithm>
#include <limits>

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define PHASEMARK_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PHASEMARK_WIDE
#endif

namespace phasemark {

namespace {

constexpr std::size_t kLanes = 4;

PHASEMARK_WIDE
void distances(const double* point, const double* columns, std::size_t d, std::size_t stride, double* out) {
  std::fill_n(out, stride, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    const double value = point[j];
    const double* column = columns + j * stride;
    for (std::size_t c = 0; c < stride; ++c) {
      const double difference = value - column[c];
      out[c] += difference * difference;
    }
  }
}

}  // namespace

CenterTable::CenterTable(const double* centers, std::size_t k, std::size_t d)
    : k_(k), d_(d), stride_((k + kLanes - 1) / kLanes * kLanes), columns_(stride_ * d) {
  std::fill(columns_.begin(), columns_.end(), std::numeric_limits<double>::infinity());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < d; ++j) columns_[j * stride_ + c] = centers[c * d + j];
  }
}

void CenterTable::nearest(const double* x, std::size_t n, std::int32_t* labels, double* squared_distances) const {
  std::vector<double> row(stride_);
  for (std::size_t i = 0; i < n; ++i) {
    distances(x + i * d_, columns_.data(), d_, stride_, row.data());
    const auto best = std::min_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(k_));
    labels[i] = static_cast<std::int32_t>(best - row.begin());
    squared_distances[i] = *best;
  }
}

}  // namespace phasemark
