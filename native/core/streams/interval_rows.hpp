#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "counts/sparse_row.hpp"

namespace phasemark {

// Recorded blocks as runs of instructions of canonical blocks, by id.
class RecordedBlocks {
 public:
  struct Segment {
    std::int32_t column, instructions;  // which canonical block, and how much of it
  };

  // Block b is segments first[b] to first[b + 1] - 1, each a canonical block (below `columns`) and instructions;
  // row_of_id says which block has an id, -1: none has.
  RecordedBlocks(std::span<const std::int64_t> row_of_id, std::span<const std::int64_t> first,
                 std::span<const std::int64_t> column, std::span<const std::int64_t> instructions,
                 std::size_t columns);

  std::size_t columns() const noexcept { return columns_; }

  // The segments of the block with an id; none: there is no such block.
  std::span<const Segment> segments(std::int64_t id) const noexcept {
    if (id < 0 || id >= static_cast<std::int64_t>(by_id_.size())) return {};
    const auto [first, count, _] = by_id_[static_cast<std::size_t>(id)];
    return {segments_.data() + first, static_cast<std::size_t>(count)};
  }

  // Its instructions, if it is there.
  std::int64_t instructions(std::int64_t id) const noexcept { return by_id_[static_cast<std::size_t>(id)].instructions; }

 private:
  struct Block {
    std::int32_t first = 0, count = 0, instructions = 0;
  };

  std::size_t columns_;
  std::vector<Block> by_id_;
  std::vector<Segment> segments_;
};

// Records of intervals, which lie in `bytes` from begin[i] to end[i], counting `length[i]` instructions. Row r is
// the sum of those from group[r] to group[r + 1] - 1.
struct IntervalRecords {
  std::span<const std::uint8_t> bytes;
  std::span<const std::int64_t> begin, end, length;
  std::span<const std::int64_t> group;  // the first record of each row, and how many records there are
};

// Instructions executed, rows x canonical blocks, exact.
struct IntervalRows {
  SparseRows rows;
  std::int64_t bad = -1;  // the first record that is malformed, or does not count what it should: reading ended there
};

IntervalRows interval_rows(const IntervalRecords& records, const RecordedBlocks& blocks);

}  // namespace phasemark
