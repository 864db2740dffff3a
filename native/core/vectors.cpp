#include "core/vectors.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace phasemark {

namespace {

constexpr std::uint64_t kLargestCount = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kExcerpt = 32;
// Ids are mapped through a table up to here (256 MiB of it), by sorting beyond.
constexpr std::uint64_t kLargestTable = std::uint64_t{1} << 26;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == 'x' || c == 'X';
}

const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

// The end of what belongs together: up to the next blank.
const char* skip_entry(const char* at, const char* end) {
  while (at != end && !is_blank(*at)) ++at;
  return at;
}

enum class Number { good, none, overflow };

Number scan_number(const char*& at, const char* end, std::uint64_t& value) {
  const char* const first = at;
  std::uint64_t v = 0;
  bool overflow = false;
  for (; at != end && is_digit(*at); ++at) {
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (at - first >= 19) {
      overflow |= __builtin_mul_overflow(v, std::uint64_t{10}, &v);
      overflow |= __builtin_add_overflow(v, digit, &v);
    } else {
      v = v * 10 + digit;
    }
  }
  value = v;
  if (at == first) return Number::none;
  return overflow ? Number::overflow : Number::good;
}

}  // namespace

// --- the rows -----------------------------------------------------------------------------------------

void VectorRows::place(std::uint64_t id, std::string_view addresses) {
  places.push_back({id, std::string(addresses)});
}

void VectorRows::note(std::uint64_t line, std::string_view text) { notes.push_back({line, std::string(text)}); }

VectorFault VectorRows::end_row(VectorLayout& layout) {
  if (row_.overflow) return VectorFault::sum_overflow;
  if (!row_.in_order) sort_row(static_cast<std::size_t>(starts.back()), layout);
  starts.push_back(static_cast<std::int64_t>(counts.size()));
  return VectorFault::none;
}

void VectorRows::sort_row(std::size_t first, VectorLayout& layout) {
  const std::size_t n = ids.size() - first;
  std::vector<std::pair<std::uint64_t, std::int64_t>> row(n);
  for (std::size_t i = 0; i < n; ++i) row[i] = {ids[first + i], counts[first + i]};
  const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
  layout.rows_not_ascending += !std::is_sorted(row.begin(), row.end(), by_id);
  std::sort(row.begin(), row.end(), by_id);
  ids.resize(first);
  counts.resize(first);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != 0 && row[i].first == row[i - 1].first) ++layout.repeated_entries;
    if (row[i].second == 0) continue;
    if (ids.size() > first && ids.back() == row[i].first) {
      counts.back() += row[i].second;  // the whole row's sum did not overflow
    } else {
      ids.push_back(row[i].first);
      counts.push_back(row[i].second);
    }
  }
}

void VectorRows::index_blocks(std::vector<std::uint64_t>& blocks, std::vector<std::int32_t>& columns) const {
  blocks.clear();
  columns.resize(ids.size());
  const std::uint64_t largest = ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end());
  if (largest < kLargestTable) {
    std::vector<std::int32_t> column(static_cast<std::size_t>(largest) + 1, -1);
    for (const std::uint64_t id : ids) column[id] = 0;
    for (std::uint64_t id = 0; id <= largest; ++id) {
      if (column[id] < 0) continue;
      column[id] = static_cast<std::int32_t>(blocks.size());
      blocks.push_back(id);
    }
    std::transform(ids.begin(), ids.end(), columns.begin(), [&](std::uint64_t id) { return column[id]; });
    return;
  }
  blocks = ids;
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  std::transform(ids.begin(), ids.end(), columns.begin(), [&](std::uint64_t id) {
    return static_cast<std::int32_t>(std::lower_bound(blocks.begin(), blocks.end(), id) - blocks.begin());
  });
}

// --- the scanner --------------------------------------------------------------------------------------

template <class Sink>
bool VectorScanner<Sink>::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t stop = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, stop);
    if (carry_.size() + piece.size() > kLongestLine) return fail(VectorFault::long_line, nullptr);
    if (stop == std::string_view::npos) {
      carry_.append(piece);
      text_ = carry_;
      const std::size_t nul = piece.find('\0');
      if (nul != std::string_view::npos) {
        return fail(VectorFault::binary_byte, carry_.data() + carry_.size() - piece.size() + nul);
      }
      return true;
    }
    if (carry_.empty()) {
      if (!scan_line(piece)) return false;
    } else {
      carry_.append(piece);
      if (!scan_line(carry_)) return false;
      carry_.clear();
    }
    ++line_;
    bytes.remove_prefix(stop + 1);
  }
  return true;
}

template <class Sink>
bool VectorScanner<Sink>::finish() {
  if (carry_.empty()) return true;
  if (!scan_line(carry_)) return false;
  carry_.clear();
  ++line_;
  return true;
}

template <class Sink>
bool VectorScanner<Sink>::scan_line(std::string_view line) {
  text_ = line;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const char* const end = line.data() + line.size();
  const char* const at = skip_blanks(line.data(), end);
  if (at == end) return true;
  if (*at == 'T' && (at + 1 == end || at[1] == ':' || is_blank(at[1]))) return scan_vector(at + 1, end);
  if (const void* nul = std::memchr(line.data(), 0, line.size())) {
    return fail(VectorFault::binary_byte, static_cast<const char*>(nul));
  }
  sink_.note(line_ + 1, {at, static_cast<std::size_t>(end - at)});
  return true;
}

template <class Sink>
bool VectorScanner<Sink>::scan_vector(const char* at, const char* end) {
  sink_.begin_row();
  ++layout_.rows;
  bool filled = false;
  while (true) {
    const char* const entry = skip_blanks(at, end);
    if (entry == end) break;
    if (filled) {
      measure_gap(static_cast<std::uint64_t>(entry - at));
    } else {
      layout_.rows_with_blank_t += entry != at;
    }
    at = scan_entry(entry, end);
    if (at == nullptr) return false;
    filled = true;
  }
  layout_.filled_rows += filled;
  layout_.rows_ending_blank += filled && at != end;
  const VectorFault fault = sink_.end_row(layout_);
  return fault == VectorFault::none || fail(fault, text_.data());
}

// `:id:count`; null at a fault. What is not exactly that goes to scan_odd_entry.
template <class Sink>
const char* VectorScanner<Sink>::scan_entry(const char* at, const char* end) {
  const char* p = at;
  std::uint64_t id, count;
  if (layout_.fields != 4 && *p == ':' && scan_number(++p, end, id) == Number::good && p != end && *p == ':' &&
      scan_number(++p, end, count) == Number::good && count <= kLargestCount && (p == end || is_blank(*p))) {
    layout_.fields = 2;
    sink_.entry(id, static_cast<std::int64_t>(count));
    return p;
  }
  return scan_odd_entry(at, end);
}

template <class Sink>
const char* VectorScanner<Sink>::scan_odd_entry(const char* at, const char* end) {
  const auto wrong = [&](VectorFault fault, const char* where) -> const char* {
    fail(fault, where);
    return nullptr;
  };
  if (*at != ':') return wrong(VectorFault::no_colon, at);
  const auto colons = std::count(at, skip_entry(at, end), ':');
  if (colons == 4 && layout_.fields != 2) return scan_wide_entry(at, end);
  if (layout_.fields == 4) return wrong(VectorFault::field_count, at);

  const char* p = at + 1;
  const char* const id_at = p;
  std::uint64_t value;
  const Number id = scan_number(p, end, value);
  if (id == Number::overflow) return wrong(VectorFault::id_overflow, id_at);
  if (id == Number::none || p == end || *p != ':') return wrong(VectorFault::bad_id, p);
  const char* const count_at = ++p;
  const Number count = scan_number(p, end, value);
  if (count == Number::none) return wrong(VectorFault::bad_count, p);
  if (count == Number::overflow || value > kLargestCount) return wrong(VectorFault::count_overflow, count_at);
  return wrong(*p == ':' ? VectorFault::field_count : VectorFault::bad_count, p);
}

// `:pc1:pc2:id:count`; the addresses are kept as they are written.
template <class Sink>
const char* VectorScanner<Sink>::scan_wide_entry(const char* at, const char* end) {
  const char* p = at;
  for (int i = 0; i < 2; ++i) {
    const char* const first = ++p;
    while (p != end && is_hex(*p)) ++p;
    if (p == first || *p != ':') return fail(VectorFault::bad_address, p), nullptr;
  }
  const std::string_view addresses(at + 1, static_cast<std::size_t>(p - at - 1));
  std::uint64_t id, count;
  const char* const id_at = ++p;
  const Number id_found = scan_number(p, end, id);
  if (id_found == Number::overflow) return fail(VectorFault::id_overflow, id_at), nullptr;
  if (id_found == Number::none || *p != ':') return fail(VectorFault::bad_id, p), nullptr;
  const char* const count_at = ++p;
  const Number count_found = scan_number(p, end, count);
  if (count_found == Number::none || (p != end && !is_blank(*p))) return fail(VectorFault::bad_count, p), nullptr;
  if (count_found == Number::overflow || count > kLargestCount) {
    return fail(VectorFault::count_overflow, count_at), nullptr;
  }
  layout_.fields = 4;
  sink_.place(id, addresses);
  sink_.entry(id, static_cast<std::int64_t>(count));
  return p;
}

template <class Sink>
void VectorScanner<Sink>::measure_gap(std::uint64_t blanks) {
  layout_.narrowest_gap = layout_.widest_gap == 0 ? blanks : std::min(layout_.narrowest_gap, blanks);
  layout_.widest_gap = std::max(layout_.widest_gap, blanks);
}

template <class Sink>
bool VectorScanner<Sink>::fail(VectorFault fault, const char* at) {
  const std::size_t column = at == nullptr ? 0 : static_cast<std::size_t>(at - text_.data());
  error_ = {fault, line_ + 1, column + 1, std::string(text_.substr(std::min(column, text_.size()), kExcerpt))};
  return false;
}

template class VectorScanner<VectorRows>;

}  // namespace phasemark
