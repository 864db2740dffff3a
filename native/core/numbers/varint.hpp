#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phasemark {

// Reads one number and moves `at` past it; false: it is cut off by `end`, or above 64 bits.
inline bool read_varint(const std::uint8_t*& at, const std::uint8_t* end, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    const std::uint64_t part = *at & 0x7f;
    const bool last = (*at++ & 0x80) == 0;
    if ((part << shift) >> shift != part) return false;
    value |= part << shift;
    if (last) return true;
  }
  return false;
}

// Unsigned LEB128 numbers of several payloads, one after the other.
struct Varints {
  std::vector<std::uint64_t> values;
  std::vector<std::int64_t> first;  // payload i holds values[first[i]] to values[first[i + 1] - 1]
  std::vector<std::int64_t> stop;   // position in `bytes` after the last number read of payload i
  std::int64_t bad = -1;            // position of a number cut off or above 64 bits: reading ended there
};

// Reads at most `most` numbers (0: all) of each payload bytes[begin[i]] to bytes[end[i] - 1]; the
// ranges lie within `bytes`.
Varints decode_varints(std::span<const std::uint8_t> bytes, std::span<const std::int64_t> begin,
                       std::span<const std::int64_t> end, std::size_t most);

}  // namespace phasemark
