// Counter-based random numbers: a pure function of a seed and a key, so that any value can be had at
// any time, in any order, on any thread. The mixer is SplitMix64's finaliser (Steele et al., 2014).
#pragma once

#include <cstdint>

namespace phasemark {

inline std::uint64_t mix64(std::uint64_t z) noexcept {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Uniform in [0, 1) with 53 bits.
inline double unit_interval(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// The numbers u_0, u_1, ... that belong to (seed, a, b).
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t a, std::uint64_t b) noexcept
      : base_(mix64(mix64(mix64(seed) ^ a) ^ b)) {}

  double next() noexcept { return unit_interval(mix64(base_ + count_++)); }

 private:
  std::uint64_t base_;
  std::uint64_t count_ = 0;
};

}  // namespace phasemark
