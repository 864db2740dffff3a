#include "numbers/varint.hpp"

namespace phasemark {

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
      if (!read_varint(at, last, value)) {
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
