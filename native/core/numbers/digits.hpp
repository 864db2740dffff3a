// Whole numbers in decimal, many digits at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

// PHASEMARK_PLAIN and PHASEMARK_NO_AVX2 leave out what is for some machines, to test what is for the others.
#if defined(__SSE2__) && !defined(PHASEMARK_PLAIN)
#include <immintrin.h>
#define PHASEMARK_SSE2
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(PHASEMARK_NO_AVX2)
#define PHASEMARK_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#endif
#endif

namespace phasemark::digits {

inline constexpr int kLongest = 19;  // digits that 64 bits hold, whatever they are

inline constexpr std::ptrdiff_t kBlock = 64;
// Others and number() look at no more bytes behind a character that is no digit.
inline constexpr std::ptrdiff_t kLookahead = kBlock + 24;

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

// What of the work depends on the machine.
struct Plain {
  // A bit for each of the kBlock bytes at `at` that is no digit, the first in the lowest bit.
  static std::uint64_t others(const char* at) noexcept {
    std::uint64_t bits = 0;
#ifdef PHASEMARK_SSE2
    // Bytes moved so that digits, and they alone, are the ten least as signed numbers.
    const __m128i move = _mm_set1_epi8(static_cast<char>(0x80 - '0'));
    const __m128i ten = _mm_set1_epi8(static_cast<char>(0x80 + 10));
    for (int i = 0; i < kBlock; i += 16) {
      const __m128i moved = _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i)), move);
      bits |= static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_cmplt_epi8(moved, ten))) << i;
    }
    return ~bits;
#else
    for (int i = 0; i < kBlock; ++i) bits |= std::uint64_t{static_cast<unsigned char>(at[i] - '0') > 9} << i;
    return bits;
#endif
  }

  // Two numbers of 1 to 8 digits.
  static std::pair<std::uint64_t, std::uint64_t> two(const char* a, int a_length, const char* b, int b_length) noexcept {
    return {up_to_eight(a, a_length), up_to_eight(b, b_length)};
  }
};

#ifdef PHASEMARK_AVX2
struct Avx2 {
  PHASEMARK_AVX2 static std::uint64_t others(const char* at) noexcept {
    const __m256i moved = _mm256_set1_epi8(static_cast<char>(0x80 - '0'));
    const __m256i ten = _mm256_set1_epi8(static_cast<char>(0x80 + 10));
    const auto* const halves = reinterpret_cast<const __m256i*>(at);
    const __m256i low = _mm256_cmpgt_epi8(ten, _mm256_add_epi8(_mm256_loadu_si256(halves), moved));
    const __m256i high = _mm256_cmpgt_epi8(ten, _mm256_add_epi8(_mm256_loadu_si256(halves + 1), moved));
    return ~(static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(low))) |
             static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32);
  }

  // As up_to_eight(), both at once.
  PHASEMARK_AVX2 static std::pair<std::uint64_t, std::uint64_t> two(const char* a, int a_length, const char* b,
                                                                    int b_length) noexcept {
    __m128i text = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(a));
    text = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(text), reinterpret_cast<const double*>(b)));
    const __m128i shifts = _mm_set_epi64x(64 - 8 * b_length, 64 - 8 * a_length);
    const __m128i digits = _mm_sllv_epi64(_mm_xor_si128(text, _mm_set1_epi8('0')), shifts);
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    const __m128i packed = _mm_packus_epi32(fours, fours);
    const __m128i eights = _mm_madd_epi16(packed, _mm_set1_epi32(1 << 16 | 10000));
    const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    return {both & 0xffffffff, both >> 32};
  }
};
#endif

// Goes from one character that is no digit to the next, whatever lies between: the place of one does not wait for
// what the one before turned out to be.
template <class Machine>
class Others {
 public:
  // From `at` on, where kLookahead bytes or more can be read.
  Others(const char* at, const char* readable) noexcept
      : block_(at), last_(readable - kLookahead), bits_(Machine::others(at)) {}

  // Null where the bytes that can be read may end.
  __attribute__((always_inline)) const char* next() noexcept {
    while (bits_ == 0) [[unlikely]] {
      block_ += kBlock;
      if (block_ > last_) return nullptr;
      bits_ = Machine::others(block_);
    }
    const char* const found = block_ + std::countr_zero(bits_);
    bits_ &= bits_ - 1;
    return found;
  }

 private:
  const char* block_;
  const char* last_;
  std::uint64_t bits_;
};

}  // namespace phasemark::digits
