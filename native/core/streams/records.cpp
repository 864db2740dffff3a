#include "streams/records.hpp"

namespace phasemark {

Records find_records(std::span<const std::uint8_t> bytes, std::int64_t at) {
  constexpr std::int64_t head = 5;
  const auto size = static_cast<std::int64_t>(bytes.size());
  Records out;
  while (at + head <= size) {
    std::int64_t length = 0;
    for (int i = 4; i > 0; --i) length = length << 8 | bytes[static_cast<std::size_t>(at + i)];
    out.kind.push_back(bytes[static_cast<std::size_t>(at)]);
    out.begin.push_back(at + head);
    at += head + length;
    out.end.push_back(at);
  }
  out.next = at;
  return out;
}

}  // namespace phasemark
