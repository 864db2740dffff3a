// One interval of a vector file: its entries as they are read, then in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phasemark {

class VectorRow {
 public:
  struct Entry {
    std::uint64_t id;
    std::int64_t count;
  };

  // Blanks between entries; none yet where `narrowest` is above `widest`.
  struct Gaps {
    std::uint64_t narrowest = ~std::uint64_t{0};
    std::uint64_t widest = 0;

    void add(std::uint64_t gap) noexcept {
      narrowest = std::min(narrowest, gap);
      widest = std::max(widest, gap);
    }
  };

  // What tidy() did.
  struct Oddities {
    bool not_ascending = false;
    std::uint64_t repeated = 0;
  };

  void clear();
  void add(std::uint64_t id, std::int64_t count);

  // Adds entries `:id:count` of up to 19 and 18 digits, parted by blanks, from `at` on, and stops before the first
  // that is not exactly that, or may reach `readable`. Returns the end of the last one added, or `at`.
  const char* add_usual(const char* at, const char* end, const char* readable, Gaps& gaps);

  // Orders the entries by id, sums repeated ids, leaves out counts of 0.
  Oddities tidy();
  // Whether the ids do not descend.
  bool is_sorted() const;

  // Whether the ids ascend, each once, and no count is 0: then there is nothing to tidy.
  bool is_tidy() const noexcept { return sum_.ascending && !sum_.zeros; }
  bool has_zeros() const noexcept { return sum_.zeros; }
  // Of the counts; meaningless after an overflow.
  std::int64_t total() const noexcept { return sum_.total; }
  bool overflow() const noexcept { return sum_.overflow; }
  std::span<Entry> entries() noexcept { return {entries_.data(), sum_.size}; }

 private:
  // What is known of the entries so far.
  struct Sum {
    std::size_t size = 0;
    std::uint64_t next_id = 0;  // the least that keeps the row ascending
    std::int64_t total = 0;
    bool ascending = true;
    bool zeros = false;  // a count of 0
    bool ended = false;    // no id can follow the largest
    bool overflow = false;

    void add(const Entry& entry) noexcept {
      ++size;
      ascending &= next_id <= entry.id && !ended;
      zeros |= entry.count == 0;
      ended = entry.id == ~std::uint64_t{0};
      next_id = entry.id + 1;
      overflow |= __builtin_add_overflow(total, entry.count, &total);
    }
  };

  template <class Machine>
  const char* add_usual_on(const char* at, const char* end, const char* readable, Gaps& gaps);
  const char* add_usual_avx2(const char* at, const char* end, const char* readable, Gaps& gaps);
  void widen();

  std::vector<Entry> entries_;
  Sum sum_;
};

}  // namespace phasemark
