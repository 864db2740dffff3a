#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phasemark {

// Numbers block ids 0, 1, 2 ... as they first come, whatever they are: small ids are looked up in a table,
// others, such as hashes of addresses, by hashing. How ids are hashed is a secret of the process, so that no file
// can name ids that all fall into one place; nothing that the table says depends on it.
class BlockTable {
 public:
  struct Secret {
    std::uint64_t mask;
    std::uint64_t factor;
  };

  explicit BlockTable(Secret secret = of_this_process()) : secret_(secret) {}

  struct Sorted {
    std::vector<std::uint64_t> ids;   // ascending
    std::vector<std::int64_t> first;  // the row that first named each
    std::vector<std::int32_t> rank;   // of each slot
  };

  // The number of an id; `row` is kept when it is new.
  std::size_t slot(std::uint64_t id, std::int64_t row) {
    if (id < direct_.size()) {
      if (const std::uint32_t found = direct_[id]) return found - 1;
    } else if (id >= kDirect) {
      for (std::size_t at = place(id); hashed_[at].number != 0; at = (at + 1) & mask_) {
        if (hashed_[at].id == id) return hashed_[at].number - 1;
      }
    }
    return insert(id, row);
  }

  std::size_t size() const noexcept { return ids_.size(); }
  // By number.
  const std::vector<std::uint64_t>& ids() const noexcept { return ids_; }
  const std::vector<std::int64_t>& first() const noexcept { return first_; }

  Sorted sorted() const;

 private:
  static constexpr std::uint64_t kDirect = std::uint64_t{1} << 20;
  static constexpr std::size_t kSmallest = 1024;

  struct Cell {
    std::uint64_t id = 0;
    std::uint32_t number = 0;  // from 1; 0: empty
  };

  static Secret of_this_process();
  // Both halves of a product, folded (wyhash).
  std::size_t place(std::uint64_t id) const noexcept {
    const auto product = static_cast<unsigned __int128>(id ^ secret_.mask) * secret_.factor;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product)) >> shift_);
  }
  std::size_t insert(std::uint64_t id, std::int64_t row);
  void put(std::uint64_t id, std::uint32_t number);
  void widen();

  Secret secret_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::int64_t> first_;
  std::vector<std::uint32_t> direct_;  // number from 1; 0: none
  std::vector<Cell> hashed_ = std::vector<Cell>(kSmallest);
  std::size_t mask_ = kSmallest - 1;
  int shift_ = 64 - 10;
  std::size_t filled_ = 0;
};

}  // namespace phasemark
