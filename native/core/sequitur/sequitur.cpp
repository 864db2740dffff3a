#include "sequitur/sequitur.hpp"

#include <algorithm>
#include <vector>

#include "sequitur/digrams.hpp"
#include "sequitur/nodes.hpp"
#include "sequitur/terminals.hpp"

namespace phasemark {

namespace {

constexpr std::size_t kTellEvery = std::size_t{1} << 20;
constexpr NodeIndex kStart = 0;  // the mark of S

// A grammar that grows by one symbol at its end, and keeps:
// * every digram has a place in the table, overlapping equal ones together one, unless it is in `unseen_`;
// * every rule but S is used at least twice.
class Grammar {
 public:
  Grammar(std::uint64_t seed, std::size_t limit) : nodes_(limit), digrams_(nodes_, seed) { nodes_.make_rule(); }

  void append(std::uint32_t terminal) {
    const NodeIndex node = nodes_.make(terminal), last = nodes_[kStart].prev;
    nodes_.link(last, node);
    nodes_.link(node, kStart);
    look(last);
    while (!unseen_.empty()) {
      const NodeIndex next = unseen_.back();
      unseen_.pop_back();
      look(next);
    }
  }

  // Ends the grammar. `terminal` gives a code's terminal.
  template <class Terminal>
  FlatGrammar flat(Terminal terminal);

 private:
  // Digram uniqueness: makes the digram at `i` a rule's if it stands elsewhere too, overlaps aside.
  void look(NodeIndex i) {
    if (!begins_digram(i)) return;
    const NodeIndex other = digrams_.find_or_put(i);
    if (other == i || nodes_[other].next == i || nodes_[i].next == other) return;
    if (is_whole_rule(other)) {
      reuse(nodes_[other].prev, i);
    } else if (is_whole_rule(i)) {
      digrams_.remove(other);
      digrams_.put(i);
      reuse(nodes_[i].prev, other);
    } else {
      make_rule(i, other);
    }
  }

  // `i` may have gone since it was noted; another node with its number is looked at for nothing.
  bool begins_digram(NodeIndex i) const noexcept {
    return nodes_.is_live(i) && !nodes_.is_mark(i) && !nodes_.is_mark(nodes_[i].next);
  }

  bool is_whole_rule(NodeIndex i) const noexcept {
    const NodeIndex mark = nodes_[i].prev;
    return mark != kStart && nodes_.is_mark(mark) && nodes_[nodes_[i].next].next == mark;
  }

  // The rule `mark` in the place of the equal digram at `i`, which is not in the table.
  void reuse(NodeIndex mark, NodeIndex i) {
    use_less(i);
    use_less(nodes_[i].next);
    ++nodes_[mark].more;
    cut_off(i);
    nodes_.drop(close_up(i, mark, i));
    spare(mark);
    note(i);
  }

  // A new rule of the digram that stands at `i` and, in the table, at `other`, whose nodes the rule takes.
  void make_rule(NodeIndex i, NodeIndex other) {
    use_less(i);
    use_less(nodes_[i].next);
    const NodeIndex mark = nodes_.make_rule(), place = nodes_.make(0);
    nodes_[mark].more = 2;
    cut_off(other);
    cut_off(i);
    const NodeIndex second = close_up(other, mark, place);
    nodes_.link(mark, other);
    nodes_.link(other, second);
    nodes_.link(second, mark);
    nodes_.drop(close_up(i, mark, i));
    put_unique(nodes_[place].prev);
    put_unique(place);
    spare(mark);
    note(i);
  }

  void use_less(NodeIndex i) noexcept {
    if (nodes_.is_rule(i)) --nodes_[nodes_[i].value - kRule].more;
  }

  // Takes the digrams that overlap the one at `i` out of the table. Where that was the place of a run of three
  // equal symbols, what is left of the run has none, and is noted.
  void cut_off(NodeIndex i) {
    const NodeIndex before = nodes_[i].prev, second = nodes_[i].next, after = nodes_[second].next;
    if (!nodes_.is_mark(before) && digrams_.remove(before) && nodes_[before].value == nodes_[i].value &&
        nodes_[nodes_[before].prev].value == nodes_[i].value) {
      unseen_.push_back(nodes_[before].prev);
    }
    if (!nodes_.is_mark(after) && digrams_.remove(second) && nodes_[second].value == nodes_[after].value &&
        nodes_[nodes_[after].next].value == nodes_[after].value) {
      unseen_.push_back(after);
    }
  }

  // Puts `place`, as the rule `mark`, where the digram at `i` is; returns the digram's second node.
  NodeIndex close_up(NodeIndex i, NodeIndex mark, NodeIndex place) noexcept {
    const NodeIndex before = nodes_[i].prev, second = nodes_[i].next, after = nodes_[second].next;
    nodes_[place].value = kRule + mark;
    nodes_.link(before, place);
    nodes_.link(place, after);
    return second;
  }

  // Rule utility: what a rule begins or ends with may be used nowhere else now.
  void spare(NodeIndex mark) {
    const NodeIndex last = nodes_[mark].prev;
    spare_at(nodes_[mark].next);
    spare_at(last);
  }

  void spare_at(NodeIndex i) {
    if (!nodes_.is_rule(i)) return;
    const NodeIndex mark = nodes_[i].value - kRule;
    if (nodes_[mark].more != 1) return;
    const NodeIndex before = nodes_[i].prev, after = nodes_[i].next;
    const NodeIndex first = nodes_[mark].next, last = nodes_[mark].prev;
    if (!nodes_.is_mark(before)) digrams_.remove(before);
    if (!nodes_.is_mark(after)) digrams_.remove(i);
    nodes_.link(before, first);
    nodes_.link(last, after);
    nodes_.drop(i);
    nodes_.drop(mark);
    unseen_.push_back(last);
    unseen_.push_back(before);
  }

  // The digrams around `i` are to be looked at, the one before it first.
  void note(NodeIndex i) {
    unseen_.push_back(i);
    unseen_.push_back(nodes_[i].prev);
  }

  // A digram with a rule that has just been made.
  void put_unique(NodeIndex i) {
    if (begins_digram(i)) digrams_.find_or_put(i);
  }

  std::vector<NodeIndex> in_order();

  Nodes nodes_;
  Digrams digrams_;
  std::vector<NodeIndex> unseen_;
};

// The marks of all rules, S first: each as its last use comes up, reading rule after rule.
std::vector<NodeIndex> Grammar::in_order() {
  std::vector<NodeIndex> marks{kStart};
  for (std::size_t rule = 0; rule < marks.size(); ++rule) {
    const NodeIndex mark = marks[rule];
    for (NodeIndex i = nodes_[mark].next; i != mark; i = nodes_[i].next) {
      if (!nodes_.is_rule(i)) continue;
      const NodeIndex used = nodes_[i].value - kRule;
      if (--nodes_[used].more == 0) marks.push_back(used);
    }
  }
  return marks;
}

template <class Terminal>
FlatGrammar Grammar::flat(Terminal terminal) {
  digrams_.clear();
  const std::vector<NodeIndex> marks = in_order();
  for (std::size_t rule = 0; rule < marks.size(); ++rule) nodes_[marks[rule]].more = static_cast<NodeIndex>(rule);
  FlatGrammar out;
  out.rules = marks.size();
  out.size = nodes_.live() - out.rules;
  out.symbols.reset(new std::int64_t[out.size]);
  out.offsets.reset(new std::int64_t[out.rules + 1]);
  std::size_t at = 0;
  for (std::size_t rule = 0; rule < marks.size(); ++rule) {
    out.offsets[rule] = static_cast<std::int64_t>(at);
    const NodeIndex mark = marks[rule];
    for (NodeIndex i = nodes_[mark].next; i != mark; i = nodes_[i].next) {
      const std::uint32_t value = nodes_[i].value;
      out.symbols[at++] = value < kRule ? terminal(value) : -static_cast<std::int64_t>(nodes_[value - kRule].more);
    }
  }
  out.offsets[out.rules] = static_cast<std::int64_t>(at);
  return out;
}

// Appends every symbol under the code that `code` gives it.
template <class T, class Code>
void append_all(Grammar& grammar, std::span<const T> symbols, const std::function<void(std::size_t)>& tell, Code code) {
  for (std::size_t done = 0; done < symbols.size();) {
    const std::size_t until = std::min(symbols.size(), done + kTellEvery);
    for (; done < until; ++done) grammar.append(code(symbols[done]));
    tell(done);
  }
}

template <class T>
FlatGrammar grammar_of(std::span<const T> symbols, std::uint64_t seed, std::size_t limit,
                       const std::function<void(std::size_t)>& tell) {
  Grammar grammar(seed, limit);
  const T greatest = symbols.empty() ? 0 : *std::max_element(symbols.begin(), symbols.end());
  if (static_cast<std::uint64_t>(greatest) < kRule) {
    append_all(grammar, symbols, tell, [](T symbol) { return static_cast<std::uint32_t>(symbol); });
    return grammar.flat([](std::uint32_t code) { return static_cast<std::int64_t>(code); });
  }
  Terminals terminals(seed);
  append_all(grammar, symbols, tell, [&](T symbol) { return terminals.code(symbol); });
  terminals.forget();
  return grammar.flat([&](std::uint32_t code) { return terminals.terminal(code); });
}

}  // namespace

FlatGrammar sequitur(std::span<const std::int32_t> symbols, std::uint64_t seed, std::size_t limit,
                     const std::function<void(std::size_t)>& tell) {
  return grammar_of(symbols, seed, limit, tell);
}

FlatGrammar sequitur(std::span<const std::int64_t> symbols, std::uint64_t seed, std::size_t limit,
                     const std::function<void(std::size_t)>& tell) {
  return grammar_of(symbols, seed, limit, tell);
}

}  // namespace phasemark
