// Where rules of a grammar stand in the string, and how much of a thread they cover there.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sequitur/grammar.hpp"

namespace phasemark {

// Walks over all occurrences of rules, at most as many as the string has symbols. `lengths` are the rules'
// (expanded_lengths); `marked` says of each rule, in bytes, whether it is: what lies within an occurrence of a
// marked rule is passed over. `tell` is called now and then; what it throws ends the work.
struct Walk {
  GrammarView grammar;
  std::span<const std::int64_t> lengths;
  std::span<const std::uint8_t> marked;
  const std::function<void()>& tell;
};

// How much the occurrences of each rule cover outside those of marked rules; of a marked one, how much its own.
// Symbols i to j of the string cover bounds[j] - bounds[i].
void covered(const Walk& walk, std::span<const std::int64_t> bounds, std::int64_t* weights);

// The symbols of the string at which occurrences of marked rules begin, and which rules these are.
struct Starts {
  std::vector<std::int64_t> rules, starts;
};
Starts marked_starts(const Walk& walk);

}  // namespace phasemark
