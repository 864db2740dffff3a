#include "streams/interval_rows.hpp"

#include <algorithm>

#include "counts/sparse_row.hpp"
#include "numbers/varint.hpp"

namespace phasemark {

namespace {

// Above, no number of a record is true; below, no sum of two overflows.
constexpr std::int64_t largest = std::int64_t{1} << 62;

// Reads one record after another into a row.
class Reader {
 public:
  Reader(const RecordedBlocks& blocks, SparseRow& row) : blocks_(blocks), row_(row) {}

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
  SparseRow& row_;
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
  SparseRow row(blocks.columns());
  Reader reader(blocks, row);
  for (std::size_t r = 0; r + 1 < records.group.size(); ++r) {
    for (auto i = static_cast<std::size_t>(records.group[r]); i < static_cast<std::size_t>(records.group[r + 1]); ++i) {
      const std::uint8_t* bytes = records.bytes.data();
      if (!reader.read(bytes + records.begin[i], bytes + records.end[i], records.length[i])) {
        out.bad = static_cast<std::int64_t>(i);
        return out;
      }
    }
    row.take(out.rows);
  }
  return out;
}

}  // namespace phasemark
