#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace phasemark {

// A sparse matrix in compressed rows (CSR) that grows by rows; columns ascend in each, no zero is stored.
struct SparseRows {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> data;
};

// A row that is being added up: dense sums, and which of them were touched, in two layers of bits, so that they
// are found again in ascending order without sorting.
class SparseRow {
 public:
  explicit SparseRow(std::size_t columns)
      : sums_(columns), touched_((columns + 63) / 64), words_((touched_.size() + 63) / 64) {}

  void add(std::int64_t column, std::int64_t instructions) {
    const auto at = static_cast<std::size_t>(column);
    sums_[at] += instructions;
    touched_[at / 64] |= std::uint64_t{1} << at % 64;
    words_[at / 4096] |= std::uint64_t{1} << at / 64 % 64;
  }

  // Appends what is not zero and begins anew.
  void take(SparseRows& out) {
    std::size_t many = 0, n = out.data.size();
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t words = words_[i]; words; words &= words - 1)
        many += static_cast<std::size_t>(std::popcount(touched_[i * 64 + first(words)]));
    out.indices.resize(n + many);
    out.data.resize(n + many);
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t words = std::exchange(words_[i], 0); words; words &= words - 1) {
        const std::size_t word = i * 64 + first(words);
        for (std::uint64_t bits = std::exchange(touched_[word], 0); bits; bits &= bits - 1) {
          const std::size_t column = word * 64 + first(bits);
          const std::int64_t sum = std::exchange(sums_[column], 0);
          out.indices[n] = static_cast<std::int32_t>(column);
          out.data[n] = sum;
          n += sum != 0;
        }
      }
    out.indices.resize(n);
    out.data.resize(n);
    out.indptr.push_back(static_cast<std::int64_t>(n));
  }

 private:
  static std::size_t first(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

  std::vector<std::int64_t> sums_;
  std::vector<std::uint64_t> touched_, words_;
};

}  // namespace phasemark
