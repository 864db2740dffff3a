#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace phasemark {

// A sparse matrix of counts, intervals x blocks, in compressed rows (CSR).
struct SparseCounts {
  std::span<const std::int64_t> indptr;
  std::span<const std::int32_t> indices;
  std::span<const std::int64_t> data;

  std::size_t rows() const noexcept { return indptr.size() - 1; }
};

// Entry (key, j) of the random projection matrix, times 2^20: an odd number, uniform in (-2^20, 2^20),
// a pure function of (seed, key, j). Sums of counts times such entries are sums of whole numbers, hence
// exact and the same in any order.
std::int32_t projection_entry(std::uint64_t seed, std::uint64_t key, int j) noexcept;

// Rows for `keys`, as above; `out` holds keys.size() x dims values.
void projection_rows(std::span<const std::uint64_t> keys, std::uint64_t seed, int dims, float* out);

// Divides each row of `counts` by its sum and projects it to `dims` columns; a row without counts
// becomes zeros. Block b is named by keys[b]. `out` holds rows x dims values. The exact sum is rounded
// once and divided by the row's sum: no result depends on the order of columns or on `threads`.
void project(const SparseCounts& counts, std::span<const std::uint64_t> keys, std::uint64_t seed, int dims,
             int threads, double* out);

}  // namespace phasemark
