#include "vectors/vector_row.hpp"

#include <algorithm>
#include <bit>

#include "numbers/digits.hpp"

namespace phasemark {

namespace {

constexpr int kLongestCount = digits::kLongest - 1;  // of so many digits every number is below 2^63

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

void VectorRow::clear() { sum_ = {}; }

void VectorRow::widen() { entries_.resize(std::max<std::size_t>(1024, 2 * entries_.size())); }

void VectorRow::add(std::uint64_t id, std::int64_t count) {
  if (sum_.size == entries_.size()) widen();
  entries_[sum_.size] = {id, count};
  sum_.add(entries_[sum_.size]);
}

template <class Machine>
inline __attribute__((always_inline)) const char* VectorRow::add_usual_on(const char* at, const char* end,
                                                                          const char* readable, Gaps& gaps) {
  digits::Others<Machine> others(at, readable);
  Sum sum = sum_;  // in registers
  bool single = false;  // blanks between entries
  const char* done = at;
  const char* first = others.next();
  while (first != nullptr && *first == ':' && !sum.ended) {
    const char* const second = others.next();
    if (second == nullptr || *second != ':') break;
    const char* const behind = others.next();
    if (behind == nullptr || (behind != end && !is_blank(*behind))) break;
    const auto id_length = static_cast<unsigned>(second - first - 1);
    const auto count_length = static_cast<unsigned>(behind - second - 1);
    Entry entry;
    if (((id_length - 1) | (count_length - 1)) < 8) [[likely]] {
      const auto [id, count] = Machine::two(first + 1, id_length, second + 1, count_length);
      entry = {id, static_cast<std::int64_t>(count)};
    } else {
      if (second - first - 1 > digits::kLongest || behind - second - 1 > kLongestCount) break;
      if (id_length == 0 || count_length == 0) break;
      entry = {digits::number(first + 1, id_length),
               static_cast<std::int64_t>(digits::number(second + 1, count_length))};
    }
    if (sum.size == entries_.size()) [[unlikely]] widen();
    entries_[sum.size] = entry;
    sum.add(entry);
    done = behind;
    if (behind == end) break;
    first = others.next();
    if (first == behind + 1 && *first == ':') [[likely]] {
      single = true;
      continue;
    }
    const char* blank = behind;
    while (first == blank + 1 && first != end && is_blank(*first)) {
      blank = first;
      first = others.next();
    }
    if (first != blank + 1 || first == end) break;
    gaps.add(static_cast<std::uint64_t>(first - behind));
  }
  if (single) gaps.add(1);
  sum_ = sum;
  return done;
}

#ifdef PHASEMARK_AVX2
PHASEMARK_AVX2 const char* VectorRow::add_usual_avx2(const char* at, const char* end, const char* readable,
                                                     Gaps& gaps) {
  return add_usual_on<digits::Avx2>(at, end, readable, gaps);
}
#endif

const char* VectorRow::add_usual(const char* at, const char* end, const char* readable, Gaps& gaps) {
  if (*at != ':' || readable - at < digits::kLookahead) return at;
#ifdef PHASEMARK_AVX2
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  if (wide) return add_usual_avx2(at, end, readable, gaps);
#endif
  return add_usual_on<digits::Plain>(at, end, readable, gaps);
}

namespace {

bool by_id(const VectorRow::Entry& a, const VectorRow::Entry& b) { return a.id < b.id; }

}  // namespace

bool VectorRow::is_sorted() const {
  return std::is_sorted(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(sum_.size), by_id);
}

VectorRow::Oddities VectorRow::tidy() {
  if (is_tidy()) return {};
  Oddities found{!is_sorted(), 0};
  const std::span<Entry> row = entries();
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
