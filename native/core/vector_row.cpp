#include "core/vector_row.hpp"

#include <algorithm>
#include <bit>

#include "core/digits.hpp"

namespace phasemark {

namespace {

constexpr int kLongestCount = digits::kLongest - 1;  // of so many digits every number is below 2^63

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

void VectorRow::clear() { sum_ = {}; }

void VectorRow::reserve_one(std::size_t size) {
  if (size == entries_.size()) entries_.resize(std::max<std::size_t>(1024, 2 * size));
}

void VectorRow::add(std::uint64_t id, std::int64_t count) {
  reserve_one(sum_.size);
  entries_[sum_.size] = {id, count};
  sum_.add(entries_[sum_.size]);
}

const char* VectorRow::add_usual(const char* at, const char* end, const char* readable, Gaps& gaps) {
  constexpr auto kLookahead = static_cast<std::ptrdiff_t>(1 + digits::kLookahead);
  Sum sum = sum_;  // in registers
  const char* done = at;
  while (readable - at > kLookahead && *at == ':' && !sum.ended) {
    const char* const id = at + 1;
    const std::uint32_t others = digits::others(id);
    const std::uint32_t after_id = others & (others - 1);
    if (after_id == 0) break;
    const int id_length = std::countr_zero(others), both = std::countr_zero(after_id);
    const int count_length = both - id_length - 1;
    if (id_length == 0 || id_length > digits::kLongest || id[id_length] != ':') break;
    if (count_length == 0 || count_length > kLongestCount) break;
    const char* const behind = id + both;
    if (behind != end && !is_blank(*behind)) break;
    reserve_one(sum.size);
    const Entry entry{digits::number(id, id_length),
                      static_cast<std::int64_t>(digits::number(id + id_length + 1, count_length))};
    entries_[sum.size] = entry;
    sum.add(entry);
    done = behind;
    if (behind == end) break;
    at = behind + 1;
    while (at != end && is_blank(*at)) ++at;
    if (at == end) break;
    const auto gap = static_cast<std::uint64_t>(at - behind);
    gaps.narrowest = std::min(gaps.narrowest, gap);
    gaps.widest = std::max(gaps.widest, gap);
  }
  sum_ = sum;
  return done;
}

VectorRow::Oddities VectorRow::tidy() {
  if (sum_.in_order) return {};
  const auto by_id = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  const std::span<Entry> row = entries();
  Oddities found{!std::is_sorted(row.begin(), row.end(), by_id), 0};
  std::sort(row.begin(), row.end(), by_id);
  for (std::size_t i = 1; i < row.size(); ++i) found.repeated += row[i].id == row[i - 1].id;
  std::size_t kept = 0;
  for (const Entry entry : row) {
    if (entry.count == 0) continue;
    if (kept != 0 && row[kept - 1].id == entry.id) {
      row[kept - 1].count += entry.count;  // the whole row's sum did not overflow
    } else {
      row[kept++] = entry;
    }
  }
  sum_.size = kept;
  return found;
}

}  // namespace phasemark
