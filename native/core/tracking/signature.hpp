#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "numbers/wide.hpp"

namespace phasemark {

// Instructions of a counter, or of a key that has one of its own.
struct Tally {
  std::uint64_t key;
  std::int64_t count;
};

// The sum of |a[i] * b_total - b[i] * a_total|, of totals below 2^15: no term or sum leaves 32 bits.
PHASEMARK_WIDE
inline std::int32_t difference(const std::int32_t* a, std::int32_t a_total, const std::int32_t* b,
                               std::int32_t b_total, std::size_t n) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::abs(a[i] * b_total - b[i] * a_total);
  return sum;
}

// A signature of few small counters: one number each.
class NarrowSignature {
 public:
  static constexpr std::int64_t kMostTotal = (std::int64_t{1} << 15) - 1;

  explicit NarrowSignature(const std::vector<Tally>& tallies, std::size_t counters) : counts_(counters) {
    for (const Tally& tally : tallies) counts_[static_cast<std::size_t>(tally.key)] = static_cast<std::int32_t>(tally.count);
    add_up();
  }

  // Between the two, each divided by its total: from 0 to 2, of whole numbers and rounded once.
  double distance(const NarrowSignature& other) const {
    const std::int32_t sum = difference(counts_.data(), total_, other.counts_.data(), other.total_, counts_.size());
    return static_cast<double>(sum) / static_cast<double>(total_ * other.total_);
  }

  // Each counter becomes the mean of the two, rounded down.
  void average(const NarrowSignature& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] = (counts_[i] + other.counts_[i]) >> 1;
    add_up();
  }

  std::vector<Tally> tallies() const {
    std::vector<Tally> out;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) out.push_back({i, counts_[i]});
    return out;
  }

 private:
  void add_up() {
    total_ = 0;
    for (const std::int32_t count : counts_) total_ += count;
  }

  std::vector<std::int32_t> counts_;
  std::int32_t total_ = 0;
};

// A signature of any size: what is not 0, by key.
class WideSignature {
 public:
  explicit WideSignature(std::vector<Tally> tallies, std::size_t = 0) : tallies_(std::move(tallies)) { add_up(); }

  double distance(const WideSignature& other) const {
    using Wide = __int128;
    Wide sum = 0;
    walk(other, [&](std::uint64_t, std::int64_t mine, std::int64_t its) {
      const Wide by = static_cast<Wide>(mine) * other.total_ - static_cast<Wide>(its) * total_;
      sum += by < 0 ? -by : by;
    });
    return static_cast<double>(sum) / static_cast<double>(static_cast<Wide>(total_) * other.total_);
  }

  void average(const WideSignature& other) {
    std::vector<Tally> mean;
    walk(other, [&](std::uint64_t key, std::int64_t mine, std::int64_t its) {
      if (const std::int64_t half = (mine >> 1) + (its >> 1) + (mine & its & 1)) mean.push_back({key, half});
    });
    tallies_ = std::move(mean);
    add_up();
  }

  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  // Every key that either has, in ascending order, with the counts of both.
  template <class Visit>
  void walk(const WideSignature& other, Visit visit) const {
    auto a = tallies_.begin(), b = other.tallies_.begin();
    while (a != tallies_.end() || b != other.tallies_.end()) {
      if (b == other.tallies_.end() || (a != tallies_.end() && a->key < b->key)) {
        visit(a->key, a->count, 0);
        ++a;
      } else if (a == tallies_.end() || b->key < a->key) {
        visit(b->key, 0, b->count);
        ++b;
      } else {
        visit(a->key, a->count, b->count);
        ++a;
        ++b;
      }
    }
  }

  void add_up() {
    total_ = 0;
    for (const Tally& tally : tallies_) total_ += tally.count;
  }

  std::vector<Tally> tallies_;
  std::int64_t total_ = 0;
};

}  // namespace phasemark
