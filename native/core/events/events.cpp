#include "events/events.hpp"

#include <cstring>
#include <limits>

#include "numbers/varint.hpp"

namespace phasemark {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kShortestMatch = 4;
// No byte of a block stands for more than 255.
constexpr std::size_t kMostOfAByte = 255;
constexpr std::size_t kLargestChunk = std::size_t{1} << 30;
constexpr std::int64_t kLargestPosition = std::int64_t{1} << 62;

// A length begins with four bits; 15 says that bytes are added to it, up to one that is not 255.
bool read_length(Bytes block, std::size_t& at, std::size_t& length) {
  if (length != 15) return true;
  while (at < block.size()) {
    const std::uint8_t more = block[at++];
    length += more;
    if (more != 255) return true;
  }
  return false;
}

// Copies from `back` bytes before the end of what is there, which may overlap what is copied.
void repeat(std::uint8_t* to, std::size_t back, std::size_t length) {
  if (back >= length) {
    std::memcpy(to, to - back, length);
    return;
  }
  for (std::size_t i = 0; i < length; ++i) to[i] = (to - back)[i];
}

// LZ4's block format: literals, then a copy of what came before, and so on; the last has literals alone.
bool unpack(Bytes block, std::vector<std::uint8_t>& out) {
  std::size_t at = 0, done = 0;
  while (at < block.size()) {
    const std::uint8_t token = block[at++];
    std::size_t literals = token >> 4, match = token & 15;
    if (!read_length(block, at, literals) || literals > block.size() - at || literals > out.size() - done)
      return false;
    if (literals != 0) std::memcpy(out.data() + done, block.data() + at, literals);
    at += literals;
    done += literals;
    if (at == block.size()) break;
    if (block.size() - at < 2) return false;
    const std::size_t back = block[at] | std::size_t{block[at + 1]} << 8;
    at += 2;
    if (!read_length(block, at, match)) return false;
    match += kShortestMatch;
    if (back == 0 || back > done || match > out.size() - done) return false;
    repeat(out.data() + done, back, match);
    done += match;
  }
  return done == out.size();
}

bool read_tokens(Bytes bytes, std::size_t count, std::int64_t position, Events& out) {
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* end = at + bytes.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t site, repeats = 1, since;
    if (!read_varint(at, end, site)) return false;
    if ((site & 1) != 0 && (!read_varint(at, end, repeats) || repeats < 2)) return false;
    if (!read_varint(at, end, since) || since == 0) return false;
    site >>= 1;
    if (site > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) || repeats > since ||
        since > static_cast<std::uint64_t>(kLargestPosition - position))
      return false;
    position += static_cast<std::int64_t>(since);
    out.site[i] = static_cast<std::int32_t>(site);
    out.repeats[i] = static_cast<std::int64_t>(repeats);
    out.position[i] = position;
  }
  return at == end;
}

}  // namespace

std::optional<Events> decode_events(Bytes packed, std::size_t size, std::size_t count, std::int64_t start,
                                    std::int64_t end) {
  if (count == 0 || size > kLargestChunk || size > kMostOfAByte * packed.size() || count > size / 2) return {};
  if (start < 0 || start >= end || end > kLargestPosition) return {};
  std::vector<std::uint8_t> bytes(size);
  if (!unpack(packed, bytes)) return {};
  Events out{std::vector<std::int32_t>(count), std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
  if (!read_tokens(bytes, count, start, out) || out.position.back() != end) return {};
  return out;
}

}  // namespace phasemark
