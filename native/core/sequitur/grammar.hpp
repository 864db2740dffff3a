// What a flat grammar (sequitur.hpp) stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace phasemark {

// Rules use rules of greater numbers alone, and offsets ascend from 0 to the number of symbols.
struct GrammarView {
  std::span<const std::int64_t> symbols;
  std::span<const std::int64_t> offsets;

  std::size_t rules() const noexcept { return offsets.size() - 1; }
  std::span<const std::int64_t> rule(std::size_t r) const noexcept {
    return symbols.subspan(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(offsets[r + 1] - offsets[r]));
  }
};

// How many terminals each rule stands for. False if those are 2^63 or more.
bool expanded_lengths(const GrammarView& grammar, std::int64_t* lengths);

// How often each rule stands in the whole expansion; S once. False if that is 2^63 times or more.
bool expanded_uses(const GrammarView& grammar, std::int64_t* uses);

// The terminals that `rule` stands for, lengths[rule] in number, to `out`. `tell` is called now and then; what
// it throws ends the work.
void expand_rule(const GrammarView& grammar, std::size_t rule, std::span<const std::int64_t> lengths,
                 std::int64_t* out, const std::function<void()>& tell);

}  // namespace phasemark
