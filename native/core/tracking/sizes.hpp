#pragma once

#include <cstdint>

#include "numbers/random.hpp"

namespace phasemark {

// What of a stored signature becomes of a match.
enum class OnMatch : int { keep, replace, average };

// The sizes and rules of a tracker; what is 0 is without bound.
struct TrackerSizes {
  std::uint32_t counters;        // to which keys are hashed; 0: one for each key
  int bits;                      // of a counter
  int compressed;                // bits that a signature keeps of each
  int headroom;                  // bits above the mean counter that those begin at
  std::uint64_t signatures;      // that the table holds
  OnMatch policy;
  std::int64_t min_count;        // sightings that make a signature a phase
  double threshold;              // a signature is matched by what is nearer than this
  double deviation;              // of a metric from its phase's mean, as a part of it, that halves the threshold
  std::uint64_t seed;            // of the hash
};

// A total that products of two still fit 128 bits with.
inline constexpr std::int64_t kMostInstructions = std::int64_t{1} << 62;

// The counter of a key, as a part of 2^64 in which every counter has an equal share.
inline std::uint32_t counter_of(std::uint64_t key, std::uint64_t salt, std::uint32_t counters) noexcept {
  return static_cast<std::uint32_t>((static_cast<unsigned __int128>(mix64(key ^ salt)) * counters) >> 64);
}

}  // namespace phasemark
