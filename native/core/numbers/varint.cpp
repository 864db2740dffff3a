#include "numbers/varint.hpp"

namespace phasemark {

namespace {

constexpr unsigned kBits = 64;

// Reads one number and moves `at` past it; false: cut off by `end`, or too large.
bool read_one(const std::uint8_t*& at, const std::uint8_t* end, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; at < end && shift < kBits; shift += 7) {
    const std::uint64_t part = *at & 0x7f;
    const bool last = (*at++ & 0x80) == 0;
    if ((part << shift) >> shift != part) return false;
    value |= part << shift;
    if (last) return true;
  }
  return false;
}

}  // namespace

Varints decode_varints(std::span<const std::uint8_t> bytes, std::span<const std::int64_t> begin,
                       std::span<const std::int64_t> end, std::size_t most) {
  Varints out;
  out.first.push_back(0);
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const std::uint8_t* at = bytes.data() + begin[i];
    const std::uint8_t* last = bytes.data() + end[i];
    for (std::size_t n = 0; at < last && (most == 0 || n < most); ++n) {
      const std::uint8_t* start = at;
      std::uint64_t value;
      if (!read_one(at, last, value)) {
        out.bad = start - bytes.data();
        return out;
      }
      out.values.push_back(value);
    }
    out.first.push_back(static_cast<std::int64_t>(out.values.size()));
    out.stop.push_back(at - bytes.data());
  }
  return out;
}

}  // namespace phasemark
