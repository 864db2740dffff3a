#include "kmeans/centers.hpp"

#include <algorithm>
#include <limits>

#include "numbers/wide.hpp"

namespace phasemark {

namespace {

constexpr std::size_t kUnroll = 2;  // vectors at a time, so that additions need not wait for one another

using Indices = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

inline __attribute__((always_inline)) Nearest search(const double* point, const double* columns, std::size_t d,
                                                     std::size_t stride) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Doubles best = {kInfinity, kInfinity, kInfinity, kInfinity};
  Doubles second = best;
  Indices best_index = {0, 0, 0, 0};
  Indices index = {0, 1, 2, 3};
  for (std::size_t c = 0; c < stride; c += kUnroll * kLanes) {
    Doubles parts[kUnroll][kLanes] = {};
    for (std::size_t j = 0; j < d; j += kLanes) {
      for (std::size_t part = 0; part < kLanes; ++part) {
        const double* column = columns + (j + part) * stride + c;
        for (std::size_t v = 0; v < kUnroll; ++v) {
          const Doubles difference = point[j + part] - *reinterpret_cast<const Doubles*>(column + v * kLanes);
          parts[v][part] += difference * difference;
        }
      }
    }
    Doubles sum[kUnroll];
    for (std::size_t v = 0; v < kUnroll; ++v) {
      sum[v] = (parts[v][0] + parts[v][1]) + (parts[v][2] + parts[v][3]);
      const Indices nearer = sum[v] < best;
      const Doubles loser = nearer ? best : sum[v];
      second = loser < second ? loser : second;
      best = nearer ? sum[v] : best;
      best_index = nearer ? index : best_index;
      index += static_cast<std::int64_t>(kLanes);
    }
  }
  std::size_t lane = 0;
  for (std::size_t l = 1; l < kLanes; ++l) {
    if (best[l] < best[lane] || (best[l] == best[lane] && best_index[l] < best_index[lane])) lane = l;
  }
  double runner_up = second[lane];
  for (std::size_t l = 0; l < kLanes; ++l) {
    if (l != lane) runner_up = std::min(runner_up, best[l]);
  }
  return {static_cast<std::int32_t>(best_index[lane]), best[lane], runner_up};
}

PHASEMARK_WIDE
void search_one(const double* point, const double* columns, std::size_t d, std::size_t stride, Nearest& out) {
  out = search(point, columns, d, stride);
}

PHASEMARK_WIDE
void search_many(const double* rows, const std::size_t* chosen, std::size_t n, const double* columns, std::size_t d,
                 std::size_t stride, Nearest* out) {
  for (std::size_t at = 0; at < n; ++at) out[at] = search(rows + chosen[at] * d, columns, d, stride);
}

}  // namespace

CenterTable::CenterTable(const double* centers, std::size_t k, std::size_t d)
    : d_(d), stride_((k + kUnroll * kLanes - 1) / (kUnroll * kLanes) * (kUnroll * kLanes)), columns_(stride_ * d) {
  std::fill(columns_.begin(), columns_.end(), std::numeric_limits<double>::infinity());
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t j = 0; j < d; ++j) columns_[j * stride_ + c] = centers[c * d + j];
  }
}

Nearest CenterTable::nearest(const double* point) const {
  Nearest found;
  search_one(point, columns_.data(), d_, stride_, found);
  return found;
}

void CenterTable::nearest(const double* rows, const std::size_t* chosen, std::size_t n, Nearest* out) const {
  search_many(rows, chosen, n, columns_.data(), d_, stride_, out);
}

PHASEMARK_WIDE
void squared_distances(const double* rows, std::size_t n, std::size_t d, const double* center, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = squared_distance(rows + i * d, center, d);
}

PHASEMARK_WIDE
void squared_distances(const double* rows, std::size_t n, std::size_t d, const double* centers,
                       const std::int32_t* labels, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = squared_distance(rows + i * d, centers + static_cast<std::size_t>(labels[i]) * d, d);
  }
}

}  // namespace phasemark
