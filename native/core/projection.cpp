#include "core/projection.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace phasemark {

namespace {

constexpr int kBits = 20;
constexpr double kScale = 1 << kBits;
// Below this row sum, a sum of counts times entries stays under 2^53: doubles hold it exactly.
constexpr std::int64_t kExactInDouble = std::int64_t{1} << (53 - kBits);
constexpr std::size_t kRowsPerTask = 256;

struct Row {
  std::span<const std::int32_t> blocks;
  std::span<const std::int64_t> counts;

  std::int64_t sum() const noexcept {
    std::int64_t total = 0;
    for (const std::int64_t count : counts) total += count;
    return total;
  }
};

Row row_of(const SparseCounts& counts, std::size_t i) {
  const auto first = static_cast<std::size_t>(counts.indptr[i]);
  const auto length = static_cast<std::size_t>(counts.indptr[i + 1]) - first;
  return {counts.indices.subspan(first, length), counts.data.subspan(first, length)};
}

template <class Number>
void accumulate(const Row& row, const float* matrix, int dims, Number* sums) {
  std::fill_n(sums, dims, Number{0});
  for (std::size_t e = 0; e < row.blocks.size(); ++e) {
    const auto count = static_cast<Number>(row.counts[e]);
    const float* entries = matrix + static_cast<std::size_t>(row.blocks[e]) * static_cast<std::size_t>(dims);
    for (int j = 0; j < dims; ++j) sums[j] += count * static_cast<Number>(entries[j]);
  }
}

template <class Number>
void project_row(const Row& row, std::int64_t total, const float* matrix, int dims, Number* sums, double* out) {
  accumulate(row, matrix, dims, sums);
  const double divisor = static_cast<double>(total) * kScale;
  for (int j = 0; j < dims; ++j) out[j] = static_cast<double>(sums[j]) / divisor;
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

void project(const SparseCounts& counts, std::span<const std::uint64_t> keys, std::uint64_t seed, int dims,
             int threads, double* out) {
  const auto width = static_cast<std::size_t>(dims);
  std::vector<float> matrix(keys.size() * width);
  projection_rows(keys, seed, dims, matrix.data());
  const std::size_t rows = counts.rows();
  parallel_for((rows + kRowsPerTask - 1) / kRowsPerTask, threads, [&](std::size_t task) {
    std::vector<double> sums(width);
    std::vector<__int128> wide_sums(width);
    for (std::size_t i = task * kRowsPerTask; i < std::min(rows, (task + 1) * kRowsPerTask); ++i) {
      const Row row = row_of(counts, i);
      const std::int64_t total = row.sum();
      double* to = out + i * width;
      if (total == 0) {
        std::fill_n(to, width, 0.0);
      } else if (total < kExactInDouble) {
        project_row(row, total, matrix.data(), dims, sums.data(), to);
      } else {
        project_row(row, total, matrix.data(), dims, wide_sums.data(), to);
      }
    }
  });
}

}  // namespace phasemark
