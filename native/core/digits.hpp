// Whole numbers in decimal, many digits at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace phasemark::digits {

// The functions below look at no more bytes than these.
inline constexpr std::size_t kLookahead = 40;
inline constexpr int kWindow = 32;
inline constexpr int kLongest = 19;  // digits that 64 bits hold, whatever they are

// A bit for each of the kWindow bytes at `at` that is no digit, the first in the lowest bit.
inline std::uint32_t others(const char* at) noexcept {
#ifdef __SSE2__
  const auto half = [](const char* bytes) {
    // Bytes moved so that digits, and they alone, are the ten least as signed numbers.
    const __m128i moved = _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)),
                                       _mm_set1_epi8(static_cast<char>(0x80 - '0')));
    const __m128i digit = _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(0x80 + 10)));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(digit));
  };
  return ~(half(at) | half(at + 16) << 16);
#else
  std::uint32_t bits = 0;
  for (int i = 0; i < kWindow; ++i) bits |= std::uint32_t{static_cast<unsigned char>(at[i] - '0') > 9} << i;
  return bits;
#endif
}

// The number of the `length` digits at `at`, 1 to 8: neighbours are joined to pairs, pairs to fours, fours to eight.
inline std::uint64_t up_to_eight(const char* at, int length) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  // The first digit is in the lowest byte; what follows the last one leaves at the top.
  word = (word ^ 0x3030303030303030ULL) << (64 - 8 * length);
  word = word * 10 + (word >> 8);
  return ((word & 0x000000ff000000ffULL) * 0x000f424000000064ULL +
          ((word >> 16) & 0x000000ff000000ffULL) * 0x0000271000000001ULL) >> 32;
}

// The number of the `length` digits at `at`, 1 to kLongest.
inline std::uint64_t number(const char* at, int length) noexcept {
  constexpr std::uint64_t kEight = 100'000'000;
  if (length <= 8) [[likely]] return up_to_eight(at, length);
  if (length <= 16) return up_to_eight(at, length - 8) * kEight + up_to_eight(at + length - 8, 8);
  const std::uint64_t high = up_to_eight(at, length - 16) * kEight + up_to_eight(at + length - 16, 8);
  return high * kEight + up_to_eight(at + length - 8, 8);
}

}  // namespace phasemark::digits
