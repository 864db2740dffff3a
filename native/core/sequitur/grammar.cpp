#include "sequitur/grammar.hpp"

#include <algorithm>
#include <vector>

namespace phasemark {

namespace {

constexpr std::size_t kTellEvery = std::size_t{1} << 24;  // terminals

}  // namespace

bool expanded_lengths(const GrammarView& grammar, std::int64_t* lengths) {
  bool overflow = false;
  for (std::size_t rule = grammar.rules(); rule-- > 0;) {
    std::int64_t length = 0;
    for (const std::int64_t symbol : grammar.rule(rule)) {
      overflow |= __builtin_add_overflow(length, symbol < 0 ? lengths[-symbol] : 1, &length);
    }
    lengths[rule] = length;
  }
  return !overflow;
}

bool expanded_uses(const GrammarView& grammar, std::int64_t* uses) {
  std::fill(uses, uses + grammar.rules(), 0);
  if (grammar.rules() > 0) uses[0] = 1;
  bool overflow = false;
  for (std::size_t rule = 0; rule < grammar.rules(); ++rule) {
    for (const std::int64_t symbol : grammar.rule(rule)) {
      if (symbol < 0) overflow |= __builtin_add_overflow(uses[-symbol], uses[rule], &uses[-symbol]);
    }
  }
  return !overflow;
}

// Each rule is walked once; where it stands again, what was written the first time is copied.
void expand_rule(const GrammarView& grammar, std::size_t rule, std::span<const std::int64_t> lengths,
                 std::int64_t* out, const std::function<void()>& tell) {
  struct Walk {
    const std::int64_t *at, *end;
    std::size_t rule, began;
  };
  std::vector<std::int64_t> written(grammar.rules(), -1);  // where each rule that is complete stands in `out`
  std::vector<Walk> walks;
  std::size_t done = 0, told = 0;
  const auto enter = [&](std::size_t r) {
    const auto symbols = grammar.rule(r);
    walks.push_back({symbols.data(), symbols.data() + symbols.size(), r, done});
  };
  enter(rule);
  while (!walks.empty()) {
    Walk& walk = walks.back();
    if (walk.at == walk.end) {
      written[walk.rule] = static_cast<std::int64_t>(walk.began);
      walks.pop_back();
      continue;
    }
    const std::int64_t symbol = *walk.at++;
    if (symbol >= 0) {
      out[done++] = symbol;
    } else if (const std::int64_t from = written[-symbol]; from >= 0) {
      std::copy_n(out + from, lengths[-symbol], out + done);
      done += static_cast<std::size_t>(lengths[-symbol]);
    } else {
      enter(static_cast<std::size_t>(-symbol));
    }
    if (done - told >= kTellEvery) {
      tell();
      told = done;
    }
  }
}

}  // namespace phasemark
