#include "streams/interval_rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "numbers/varint.hpp"

namespace phasemark {

namespace {

// Above, no number of a record is true; below, no sum of two overflows.
constexpr std::int64_t largest = std::int64_t{1} << 62;

// A row that is being added up: dense sums, and which of them were touched, in two layers of bits, so that they
// are found again in ascending order without sorting.
class Row {
 public:
  explicit Row(std::size_t columns)
      : sums_(columns), touched_((columns + 63) / 64), words_((touched_.size() + 63) / 64) {}

  void add(std::int64_t column, std::int64_t instructions) {
    const auto at = static_cast<std::size_t>(column);
    sums_[at] += instructions;
    touched_[at / 64] |= std::uint64_t{1} << at % 64;
    words_[at / 4096] |= std::uint64_t{1} << at / 64 % 64;
  }

  // Appends what is not zero and begins anew.
  void take(IntervalRows& out) {
    std::size_t many = 0, n = out.data.size();
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t words = words_[i]; words; words &= words - 1)
        many += static_cast<std::size_t>(std::popcount(touched_[i * 64 + static_cast<std::size_t>(std::countr_zero(words))]));
    out.indices.resize(n + many);
    out.data.resize(n + many);
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t words = std::exchange(words_[i], 0); words; words &= words - 1) {
        const std::size_t word = i * 64 + static_cast<std::size_t>(std::countr_zero(words));
        for (std::uint64_t bits = std::exchange(touched_[word], 0); bits; bits &= bits - 1) {
          const std::size_t column = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
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
  std::vector<std::int64_t> sums_;
  std::vector<std::uint64_t> touched_, words_;
};

// Reads one record after another into a row.
class Reader {
 public:
  Reader(const RecordedBlocks& blocks, Row& row) : blocks_(blocks), row_(row) {}

  // Adds a record's counts to the row; false: it is malformed, or does not count `length` instructions.
  bool read(const std::uint8_t* at, const std::uint8_t* end, std::int64_t length) {
    at_ = at, end_ = end, left_ = length;
    std::int64_t skipped, count;
    for (int i = 0; i < 3; ++i)
      if (!number(skipped)) return false;
    if (!number(count)) return false;
    for (std::int64_t id = 0; count > 0; --count)
      if (!full(id)) return false;
    if (!number(count)) return false;
    for (; count > 0; --count)
      if (!partial()) return false;
    return at_ == end_ && left_ == 0;
  }

 private:
  bool number(std::int64_t& value) {
    std::uint64_t read;
    if (at_ < end_ && *at_ < 0x80) {
      value = *at_++;
      return true;
    }
    if (!read_varint(at_, end_, read) || read > static_cast<std::uint64_t>(largest)) return false;
    value = static_cast<std::int64_t>(read);
    return true;
  }

  // Whether so many instructions are still to be counted: then no sum of them overflows either.
  bool spend(std::int64_t times, std::int64_t instructions) {
    std::int64_t spent;
    if (__builtin_mul_overflow(times, instructions, &spent) || spent > left_) return false;
    left_ -= spent;
    return true;
  }

  bool full(std::int64_t& id) {
    std::int64_t step, times;
    if (!number(step) || !number(times) || step > largest - id) return false;
    id += step;
    const auto segments = blocks_.segments(id);
    if (segments.empty() || !spend(times, blocks_.instructions(id))) return false;
    for (const auto& segment : segments) row_.add(segment.column, times * segment.instructions);
    return true;
  }

  bool partial() {
    std::int64_t id, from, to, times;
    if (!number(id) || !number(from) || !number(to) || !number(times)) return false;
    const auto segments = blocks_.segments(id);
    if (segments.empty() || from > to || to > blocks_.instructions(id) || !spend(times, to - from)) return false;
    std::int64_t begin = 0;
    for (const auto& segment : segments) {
      const std::int64_t end = begin + segment.instructions;
      const std::int64_t executed = std::min(to, end) - std::max(from, begin);
      if (executed > 0) row_.add(segment.column, times * executed);
      begin = end;
    }
    return true;
  }

  const RecordedBlocks& blocks_;
  Row& row_;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::int64_t left_ = 0;  // instructions of the record that were not counted yet
};

}  // namespace

RecordedBlocks::RecordedBlocks(std::span<const std::int64_t> row_of_id, std::span<const std::int64_t> first,
                               std::span<const std::int64_t> column, std::span<const std::int64_t> instructions,
                               std::size_t columns)
    : columns_(columns), by_id_(row_of_id.size()), segments_(column.size()) {
  for (std::size_t s = 0; s < segments_.size(); ++s)
    segments_[s] = {static_cast<std::int32_t>(column[s]), static_cast<std::int32_t>(instructions[s])};
  for (std::size_t id = 0; id < by_id_.size(); ++id) {
    if (row_of_id[id] < 0) continue;
    const auto row = static_cast<std::size_t>(row_of_id[id]);
    Block& block = by_id_[id];
    block.first = static_cast<std::int32_t>(first[row]);
    block.count = static_cast<std::int32_t>(first[row + 1] - first[row]);
    for (std::int64_t s = first[row]; s < first[row + 1]; ++s)
      block.instructions += segments_[static_cast<std::size_t>(s)].instructions;
  }
}

IntervalRows interval_rows(const IntervalRecords& records, const RecordedBlocks& blocks) {
  IntervalRows out;
  out.indptr.push_back(0);
  Row row(blocks.columns());
  Reader reader(blocks, row);
  for (std::size_t r = 0; r + 1 < records.group.size(); ++r) {
    for (auto i = static_cast<std::size_t>(records.group[r]); i < static_cast<std::size_t>(records.group[r + 1]); ++i) {
      const std::uint8_t* bytes = records.bytes.data();
      if (!reader.read(bytes + records.begin[i], bytes + records.end[i], records.length[i])) {
        out.bad = static_cast<std::int64_t>(i);
        return out;
      }
    }
    row.take(out);
  }
  return out;
}

}  // namespace phasemark
