// Codes of 31 bits for terminals of 63.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers/random.hpp"
#include "sequitur/nodes.hpp"

namespace phasemark {

// Numbers terminals as they come up; linear probing under a hash made from a seed.
class Terminals {
 public:
  explicit Terminals(std::uint64_t seed) : seed_(mix64(seed)), slots_(1024, kEmpty) {}

  std::uint32_t code(std::int64_t terminal) {
    std::size_t at = slot(terminal);
    for (; slots_[at] != kEmpty; at = (at + 1) & (slots_.size() - 1)) {
      if (terminals_[slots_[at]] == terminal) return slots_[at];
    }
    if (terminals_.size() >= kRule) throw GrammarTooLarge();
    const auto code = static_cast<std::uint32_t>(terminals_.size());
    slots_[at] = code;
    terminals_.push_back(terminal);
    if (terminals_.size() * 4 > slots_.size() * 3) grow();
    return code;
  }

  std::int64_t terminal(std::uint32_t code) const noexcept { return terminals_[code]; }

  // No terminal is asked for any more.
  void forget() { slots_ = {}; }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

  std::size_t slot(std::int64_t terminal) const noexcept {
    return mix64(static_cast<std::uint64_t>(terminal) ^ seed_) & (slots_.size() - 1);
  }

  void grow() {
    const std::size_t size = 2 * slots_.size();
    slots_ = {};
    slots_.assign(size, kEmpty);
    for (std::uint32_t code = 0; code < terminals_.size(); ++code) {
      std::size_t at = slot(terminals_[code]);
      while (slots_[at] != kEmpty) at = (at + 1) & (size - 1);
      slots_[at] = code;
    }
  }

  std::uint64_t seed_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::int64_t> terminals_;
};

}  // namespace phasemark
