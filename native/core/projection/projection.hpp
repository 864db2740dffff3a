#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// A projection matrix that grows by rows, and rows of counts times it.
class Projection {
 public:
  // So many instructions of block `row`, a row of this matrix.
  struct Term {
    std::uint64_t row;
    std::int64_t count;
  };

  Projection(std::uint64_t seed, int dims);

  std::uint64_t seed() const noexcept { return seed_; }
  int dims() const noexcept { return dims_; }
  std::size_t rows() const noexcept { return entries_.size() / stride_; }
  void add_row(std::uint64_t key);

  // The sum of counts times rows, divided by `total`, the sum of the counts; zeros where that is 0. The exact sum
  // is rounded once and then divided: no result depends on the order of terms. `out` holds dims values.
  void project(std::span<const Term> terms, std::int64_t total, double* out) const;

 private:
  std::uint64_t seed_;
  int dims_;
  std::size_t stride_;          // dims, filled up with zeros to whole vectors
  std::vector<float> entries_;  // times 2^20
};

// Divides each row of `counts` by its sum and projects it to `dims` columns; a row without counts
// becomes zeros. Block b is named by keys[b]. `out` holds rows x dims values. The exact sum is rounded
// once and divided by the row's sum: no result depends on the order of columns or on `threads`.
void project(const SparseCounts& counts, std::span<const std::uint64_t> keys, std::uint64_t seed, int dims,
             int threads, double* out);

}  // namespace phasemark
