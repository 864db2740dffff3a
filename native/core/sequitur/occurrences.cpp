#include "sequitur/occurrences.hpp"

#include <algorithm>
#include <cstddef>

namespace phasemark {

namespace {

constexpr std::size_t kTellEvery = std::size_t{1} << 22;  // occurrences

// Calls `enter(rule, start)` where an occurrence begins, and `leave(rule, start, end)` where it ends, unless
// it is of a marked rule: then `pass(rule, start, end)`.
template <class Enter, class Leave, class Pass>
void walk_over(const Walk& walk, Enter enter, Leave leave, Pass pass) {
  struct Level {
    const std::int64_t *at, *end;
    std::size_t rule;
    std::int64_t start;
  };
  std::vector<Level> levels;
  std::int64_t position = 0;
  std::size_t entered = 0;
  const auto go_into = [&](std::size_t rule) {
    const auto symbols = walk.grammar.rule(rule);
    levels.push_back({symbols.data(), symbols.data() + symbols.size(), rule, position});
    enter();
    if (++entered % kTellEvery == 0) walk.tell();
  };
  go_into(0);
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.at == level.end) {
      const Level done = level;
      levels.pop_back();
      leave(done.rule, done.start, position);
      continue;
    }
    const std::int64_t symbol = *level.at++;
    if (symbol >= 0) {
      ++position;
    } else if (const auto rule = static_cast<std::size_t>(-symbol); walk.marked[rule]) {
      pass(rule, position, position + walk.lengths[rule]);
      position += walk.lengths[rule];
    } else {
      go_into(rule);
    }
  }
}

}  // namespace

void covered(const Walk& walk, std::span<const std::int64_t> bounds, std::int64_t* weights) {
  std::fill(weights, weights + walk.grammar.rules(), 0);
  std::vector<std::int64_t> passed;  // of each occurrence that is open, what marked ones within it cover
  const auto enter = [&] { passed.push_back(0); };
  const auto leave = [&](std::size_t rule, std::int64_t start, std::int64_t end) {
    const std::int64_t within = passed.back();
    passed.pop_back();
    weights[rule] += bounds[end] - bounds[start] - within;
    if (!passed.empty()) passed.back() += within;
  };
  const auto pass = [&](std::size_t rule, std::int64_t start, std::int64_t end) {
    weights[rule] += bounds[end] - bounds[start];
    passed.back() += bounds[end] - bounds[start];
  };
  walk_over(walk, enter, leave, pass);
}

Starts marked_starts(const Walk& walk) {
  Starts out;
  walk_over(
      walk, [] {}, [](std::size_t, std::int64_t, std::int64_t) {},
      [&](std::size_t rule, std::int64_t start, std::int64_t) {
        out.rules.push_back(static_cast<std::int64_t>(rule));
        out.starts.push_back(start);
      });
  return out;
}

}  // namespace phasemark
