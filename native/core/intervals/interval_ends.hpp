#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace phasemark {

// Intervals of a thread with instructions, in order: how long they are, and where they end.
struct IntervalEnds {
  std::size_t n = 0;
  std::int64_t shortest = 0, longest = 0;
  std::int64_t latest = 0;    // the largest N such that no interval i (from 1) ends before i x N
  std::int64_t earliest = 0;  // the least N such that every interval i ends less than `block` after i x N
  bool overflow = false;      // together they are 2^63 or longer
  std::int64_t total = 0;
};

// Lengths of 0 are passed over.
IntervalEnds interval_ends(std::span<const std::int64_t> lengths, std::int64_t block);

}  // namespace phasemark
