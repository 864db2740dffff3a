// The symbols of a grammar, in rings: a rule's right-hand side is a ring that is closed by the rule's mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace phasemark {

using NodeIndex = std::uint32_t;

// A value below kRule is a terminal's code; kRule + i is the rule whose mark is node i.
inline constexpr std::uint32_t kRule = std::uint32_t{1} << 31;

struct Node {
  NodeIndex prev, next;
  std::uint32_t value;
  NodeIndex more;  // the next node of the same bucket of digrams; of a mark: how often the rule is used
};

// More symbols than 31 bits can number.
struct GrammarTooLarge : std::overflow_error {
  GrammarTooLarge() : std::overflow_error("the grammar has too many symbols") {}
};

class Nodes {
 public:
  // `limit`: how many nodes there may be.
  explicit Nodes(std::size_t limit) : limit_(limit < kRule ? limit : kRule) {}
  ~Nodes() { std::free(nodes_); }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  Node& operator[](NodeIndex i) noexcept { return nodes_[i]; }
  const Node& operator[](NodeIndex i) const noexcept { return nodes_[i]; }

  std::size_t live() const noexcept { return live_; }

  NodeIndex make(std::uint32_t value) {
    NodeIndex i = freed_;
    if (i != kNone) {
      freed_ = nodes_[i].next;
    } else {
      if (size_ == room_) grow();
      i = static_cast<NodeIndex>(size_++);
    }
    ++live_;
    nodes_[i] = {i, i, value, 0};
    return i;
  }

  NodeIndex make_rule() {
    const NodeIndex mark = make(0);
    nodes_[mark].value = kRule + mark;
    return mark;
  }

  void drop(NodeIndex i) noexcept {
    nodes_[i] = {kNone, freed_, 0, 0};
    freed_ = i;
    --live_;
  }

  bool is_live(NodeIndex i) const noexcept { return nodes_[i].prev != kNone; }
  bool is_mark(NodeIndex i) const noexcept { return nodes_[i].value == kRule + i; }
  bool is_rule(NodeIndex i) const noexcept { return nodes_[i].value >= kRule; }

  void link(NodeIndex left, NodeIndex right) noexcept {
    nodes_[left].next = right;
    nodes_[right].prev = left;
  }

 private:
  static constexpr NodeIndex kNone = ~NodeIndex{0};

  // The system moves large memory by its page tables: growing copies nothing and never holds it twice.
  void grow() {
    if (size_ >= limit_) throw GrammarTooLarge();
    std::size_t room = room_ < 1024 ? 1024 : room_ + room_ / 2;
    if (room > limit_) room = limit_;
    void* moved = std::realloc(nodes_, room * sizeof(Node));
    if (moved == nullptr) throw std::bad_alloc();
    nodes_ = static_cast<Node*>(moved);
    room_ = room;
  }

  Node* nodes_ = nullptr;
  std::size_t size_ = 0, room_ = 0, live_ = 0, limit_;
  NodeIndex freed_ = kNone;
};

}  // namespace phasemark
