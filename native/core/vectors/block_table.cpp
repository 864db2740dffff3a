#include "vectors/block_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace phasemark {

BlockTable::Secret BlockTable::of_this_process() {
  static const Secret secret = [] {
    std::random_device device;
    const auto number = [&] { return std::uint64_t{device()} << 32 | device(); };
    const std::uint64_t mask = number();
    return Secret{mask, number() | std::uint64_t{1} << 63 | 1};
  }();
  return secret;
}

std::size_t BlockTable::insert(std::uint64_t id, std::int64_t row) {
  if (ids_.size() == std::numeric_limits<std::int32_t>::max()) throw std::length_error("2^31 - 1 blocks");
  ids_.push_back(id);
  first_.push_back(row);
  const auto number = static_cast<std::uint32_t>(ids_.size());
  if (id < kDirect) {
    if (id >= direct_.size()) direct_.resize(std::max<std::size_t>(kSmallest, std::bit_ceil(id + 1)));
    direct_[id] = number;
  } else {
    if (2 * ++filled_ > hashed_.size()) widen();
    put(id, number);
  }
  return number - 1;
}

void BlockTable::put(std::uint64_t id, std::uint32_t number) {
  std::size_t at = place(id);
  while (hashed_[at].number != 0) at = (at + 1) & mask_;
  hashed_[at] = {id, number};
}

void BlockTable::widen() {
  std::vector<Cell> before(2 * hashed_.size());
  hashed_.swap(before);
  mask_ = hashed_.size() - 1;
  --shift_;
  for (const Cell& cell : before) {
    if (cell.number != 0) put(cell.id, cell.number);
  }
}

BlockTable::Sorted BlockTable::sorted() const {
  std::vector<std::int32_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return ids_[static_cast<std::size_t>(a)] < ids_[static_cast<std::size_t>(b)];
  });
  Sorted out;
  out.rank.resize(size());
  for (const std::int32_t slot : order) {
    const auto s = static_cast<std::size_t>(slot);
    out.rank[s] = static_cast<std::int32_t>(out.ids.size());
    out.ids.push_back(ids_[s]);
    out.first.push_back(first_[s]);
  }
  return out;
}

}  // namespace phasemark
