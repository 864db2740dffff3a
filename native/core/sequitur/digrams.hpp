// Where each digram (a pair of neighbours) stands: one place each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "numbers/random.hpp"
#include "sequitur/nodes.hpp"

namespace phasemark {

// A hash table whose chains run through the nodes: four bytes a bucket, and nothing an entry. The hash is
// multiplied with numbers made from a seed, so that no input is known to collide; what is found depends on
// neither. Node 0 is the mark of S, begins no digram, and ends the chains.
class Digrams {
 public:
  Digrams(Nodes& nodes, std::uint64_t seed) : nodes_(nodes), add_(mix64(seed)), times_(mix64(add_) | 1) {
    resize(1024);
    for (std::size_t b = 0; b < buckets_; ++b) heads_[b] = 0;
  }
  ~Digrams() { std::free(heads_); }
  Digrams(const Digrams&) = delete;
  Digrams& operator=(const Digrams&) = delete;

  // The place of the digram that begins at `i`, which becomes its place if there is none.
  NodeIndex find_or_put(NodeIndex i) {
    const std::uint32_t left = nodes_[i].value, right = nodes_[nodes_[i].next].value;
    NodeIndex* head = &heads_[bucket(left, right)];
    for (NodeIndex at = *head; at != 0; at = nodes_[at].more) {
      if (nodes_[at].value == left && nodes_[nodes_[at].next].value == right) return at;
    }
    put_at(head, i);
    return i;
  }

  // The digram that begins at `i` is nowhere else.
  void put(NodeIndex i) { put_at(&heads_[bucket_of(i)], i); }

  // Forgets `i`; false if it was not its digram's place.
  bool remove(NodeIndex i) noexcept {
    NodeIndex* from = &heads_[bucket_of(i)];
    while (*from != 0 && *from != i) from = &nodes_[*from].more;
    if (*from == 0) return false;
    *from = nodes_[i].more;
    --size_;
    return true;
  }

  void clear() noexcept {
    std::free(heads_);
    heads_ = nullptr;
  }

 private:
  std::size_t bucket(std::uint32_t left, std::uint32_t right) const noexcept {
    const std::uint64_t key = (std::uint64_t{left} << 32 | right) ^ add_;
    const auto product = static_cast<unsigned __int128>(key) * times_;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product)) &
           (buckets_ - 1);
  }

  std::size_t bucket_of(NodeIndex i) const noexcept {
    return bucket(nodes_[i].value, nodes_[nodes_[i].next].value);
  }

  void put_at(NodeIndex* head, NodeIndex i) {
    nodes_[i].more = *head;
    *head = i;
    // Short chains: each further node of one is a miss of the cache.
    if (++size_ > buckets_ / 2) split();
  }

  void resize(std::size_t buckets) {
    void* moved = std::realloc(heads_, buckets * sizeof(NodeIndex));
    if (moved == nullptr) throw std::bad_alloc();
    heads_ = static_cast<NodeIndex*>(moved);
    buckets_ = buckets;
  }

  // Twice as many buckets, in place: what a bucket holds goes to itself or to the one as far above.
  void split() {
    const std::size_t half = buckets_;
    resize(2 * half);
    for (std::size_t b = 0; b < half; ++b) {
      NodeIndex at = heads_[b];
      NodeIndex* low = &heads_[b];
      NodeIndex* high = &heads_[b + half];
      while (at != 0) {
        NodeIndex*& end = bucket_of(at) == b ? low : high;
        *end = at;
        end = &nodes_[at].more;
        at = nodes_[at].more;
      }
      *low = *high = 0;
    }
  }

  Nodes& nodes_;
  std::uint64_t add_, times_;
  NodeIndex* heads_ = nullptr;
  std::size_t buckets_ = 0, size_ = 0;
};

}  // namespace phasemark
