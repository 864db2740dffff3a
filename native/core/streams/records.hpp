#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace phasemark {

// The records of a stretch of a raw stream (docs/raw-stream.md), by position in the stretch.
struct Records {
  std::vector<std::uint8_t> kind;
  std::vector<std::int64_t> begin, end;  // of the payload, which may end after the stretch
  std::int64_t next = 0;                 // where the first record begins whose head is not in the stretch
};

// Finds them by their heads, from the one that begins at `at` on.
Records find_records(std::span<const std::uint8_t> bytes, std::int64_t at);

}  // namespace phasemark
