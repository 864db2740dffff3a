#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phasemark {

// Events of one thread, in order: where, how often in succession, and the position after the last time.
struct Events {
  std::vector<std::int32_t> site;
  std::vector<std::int64_t> repeats;
  std::vector<std::int64_t> position;
};

// A chunk as a raw stream has it (docs/raw-stream.md, record V): one block of LZ4's block format that holds `size`
// bytes, in which are `count` tokens from position `start` to `end`. Nothing if it is anything else.
std::optional<Events> decode_events(std::span<const std::uint8_t> packed, std::size_t size, std::size_t count,
                                    std::int64_t start, std::int64_t end);

}  // namespace phasemark
