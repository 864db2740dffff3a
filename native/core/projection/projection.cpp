#include "projection/projection.hpp"

#include <algorithm>
#include <vector>

#include "threads/parallel.hpp"
#include "numbers/random.hpp"
#include "numbers/wide.hpp"

namespace phasemark {

namespace {

constexpr int kBits = 20;
constexpr double kScale = 1 << kBits;
// Below this row sum, a sum of counts times entries stays under 2^53: doubles hold it exactly.
constexpr std::int64_t kExactInDouble = std::int64_t{1} << (53 - kBits);
constexpr std::size_t kRowsPerTask = 256;

constexpr std::size_t kLanes = 4;
constexpr std::size_t kVectors = 4;  // summed at a time, so that additions need not wait for one another

using Floats = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4)));
using Doubles = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(8)));

// sums[0 ... stride) of counts times rows, where every sum stays below 2^53.
PHASEMARK_WIDE
void add_up(const Projection::Term* terms, std::size_t n, const float* rows, std::size_t stride, double* sums) {
  for (std::size_t first = 0; first < stride; first += kVectors * kLanes) {
    Doubles sum[kVectors] = {};
    for (std::size_t t = 0; t < n; ++t) {
      const auto count = static_cast<double>(terms[t].count);
      const float* row = rows + terms[t].row * stride + first;
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Floats entries = *reinterpret_cast<const Floats*>(row + v * kLanes);
        sum[v] += count * __builtin_convertvector(entries, Doubles);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) *reinterpret_cast<Doubles*>(sums + first + v * kLanes) = sum[v];
  }
}

}  // namespace

std::int32_t projection_entry(std::uint64_t seed, std::uint64_t key, int j) noexcept {
  const std::uint64_t base = mix64(mix64(seed) ^ mix64(key));
  const std::uint64_t bits = mix64(base + static_cast<std::uint64_t>(j)) >> (64 - kBits);
  return 2 * static_cast<std::int32_t>(bits) + 1 - (1 << kBits);
}

void projection_rows(std::span<const std::uint64_t> keys, std::uint64_t seed, int dims, float* out) {
  for (const std::uint64_t key : keys) {
    for (int j = 0; j < dims; ++j) *out++ = static_cast<float>(projection_entry(seed, key, j));
  }
}

Projection::Projection(std::uint64_t seed, int dims)
    : seed_(seed),
      dims_(dims),
      stride_((static_cast<std::size_t>(dims) + kVectors * kLanes - 1) / (kVectors * kLanes) * (kVectors * kLanes)) {}

void Projection::add_row(std::uint64_t key) {
  entries_.resize(entries_.size() + stride_);
  projection_rows({&key, 1}, seed_, dims_, entries_.data() + entries_.size() - stride_);
}

void Projection::project(std::span<const Term> terms, std::int64_t total, double* out) const {
  const double divisor = static_cast<double>(total) * kScale;
  if (total == 0) {
    std::fill_n(out, dims_, 0.0);
  } else if (total < kExactInDouble) {
    thread_local std::vector<double> sums;
    sums.resize(stride_);
    add_up(terms.data(), terms.size(), entries_.data(), stride_, sums.data());
    for (int j = 0; j < dims_; ++j) out[j] = sums[static_cast<std::size_t>(j)] / divisor;
  } else {
    for (int j = 0; j < dims_; ++j) {
      __int128 sum = 0;
      for (const Term& term : terms) {
        const float entry = entries_[term.row * stride_ + static_cast<std::size_t>(j)];
        sum += static_cast<__int128>(term.count) * static_cast<std::int32_t>(entry);
      }
      out[j] = static_cast<double>(sum) / divisor;
    }
  }
}

void project(const SparseCounts& counts, std::span<const std::uint64_t> keys, std::uint64_t seed, int dims,
             int threads, double* out) {
  Projection projection(seed, dims);
  for (const std::uint64_t key : keys) projection.add_row(key);
  const std::size_t rows = counts.rows();
  parallel_for((rows + kRowsPerTask - 1) / kRowsPerTask, threads, [&](std::size_t task) {
    std::vector<Projection::Term> terms;
    for (std::size_t i = task * kRowsPerTask; i < std::min(rows, (task + 1) * kRowsPerTask); ++i) {
      terms.clear();
      std::int64_t total = 0;
      for (auto e = static_cast<std::size_t>(counts.indptr[i]); e < static_cast<std::size_t>(counts.indptr[i + 1]); ++e) {
        terms.push_back({static_cast<std::uint64_t>(counts.indices[e]), counts.data[e]});
        total += counts.data[e];
      }
      projection.project(terms, total, out + i * static_cast<std::size_t>(dims));
    }
  });
}

}  // namespace phasemark
