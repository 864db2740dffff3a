// Sequitur: the grammar of a string's repetitions, in time linear in its length (Nevill-Manning and Witten,
// 1997; "Variable length intervals" 8.1.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace phasemark {

// Right-hand sides of the rules, one after the other. A symbol s >= 0 is a terminal, -r is rule r; rule 0 is
// S. A rule is used by rules of smaller numbers alone.
struct FlatGrammar {
  std::unique_ptr<std::int64_t[]> symbols;
  std::unique_ptr<std::int64_t[]> offsets;  // rule r is symbols offsets[r] .. offsets[r + 1]
  std::size_t size = 0, rules = 0;
};

// As many nodes can be told apart.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 31;

// The grammar of `symbols`, none of which is negative.
//
// seed: of the hash tables; the grammar does not depend on it.
// limit: how many nodes (symbols and rules) the grammar may have at any time.
// tell: called now and then with how many symbols are done; what it throws ends the work.
// Throws GrammarTooLarge.
FlatGrammar sequitur(std::span<const std::int32_t> symbols, std::uint64_t seed, std::size_t limit,
                     const std::function<void(std::size_t)>& tell);
FlatGrammar sequitur(std::span<const std::int64_t> symbols, std::uint64_t seed, std::size_t limit,
                     const std::function<void(std::size_t)>& tell);

}  // namespace phasemark
