#include "vectors/vector_scanner.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace phasemark {

namespace {

constexpr std::uint64_t kLargestCount = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kExcerpt = 32;

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

VectorFault VectorSizes::fault() const noexcept {
  if (empty_rows > kMostEmptyRows) return VectorFault::many_empty_rows;
  if (rows > kMostRows) return VectorFault::many_rows;
  if (notes > kMostNotes || note_bytes > kMostNoteBytes) return VectorFault::many_notes;
  return VectorFault::none;
}

// --- the layout ---------------------------------------------------------------------------------------

void VectorLayout::measure_gap(std::uint64_t blanks) {
  narrowest_gap = widest_gap == 0 ? blanks : std::min(narrowest_gap, blanks);
  widest_gap = std::max(widest_gap, blanks);
}

bool VectorLayout::append(const VectorLayout& next) {
  if (fields != 0 && next.fields != 0 && fields != next.fields) return false;
  fields = std::max(fields, next.fields);
  rows += next.rows;
  filled_rows += next.filled_rows;
  rows_with_blank_t += next.rows_with_blank_t;
  rows_ending_blank += next.rows_ending_blank;
  rows_not_ascending += next.rows_not_ascending;
  repeated_entries += next.repeated_entries;
  if (next.widest_gap != 0) {
    measure_gap(next.narrowest_gap);
    measure_gap(next.widest_gap);
  }
  return true;
}

// --- the scanner --------------------------------------------------------------------------------------

bool VectorScanner::feed(std::string_view bytes) {
  const char* const readable = bytes.data() + bytes.size();
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
      if (!scan_line(piece, readable)) return false;
    } else {
      carry_.append(piece);
      if (!scan_line(carry_, carry_.data() + carry_.size())) return false;
      carry_.clear();
    }
    ++line_;
    bytes.remove_prefix(stop + 1);
  }
  return true;
}

bool VectorScanner::finish() {
  if (carry_.empty()) return true;
  if (!scan_line(carry_, carry_.data() + carry_.size())) return false;
  carry_.clear();
  ++line_;
  return true;
}

bool VectorScanner::scan_line(std::string_view line, const char* readable) {
  text_ = line;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const char* const end = line.data() + line.size();
  const char* const at = skip_blanks(line.data(), end);
  if (at == end) return true;
  if (*at == 'T' && (at + 1 == end || at[1] == ':' || is_blank(at[1]))) return scan_vector(at + 1, end, readable);
  if (const void* nul = std::memchr(line.data(), 0, line.size())) {
    return fail(VectorFault::binary_byte, static_cast<const char*>(nul));
  }
  ++notes_;
  note_bytes_ += static_cast<std::uint64_t>(end - at);
  if (!within_limits()) return false;
  sink_.note(line_ + 1, {at, static_cast<std::size_t>(end - at)});
  return true;
}

bool VectorScanner::scan_vector(const char* at, const char* end, const char* readable) {
  row_.clear();
  ++layout_.rows;
  bool filled = false;
  while (true) {
    const char* const entry = skip_blanks(at, end);
    if (entry == end) break;
    if (filled) {
      layout_.measure_gap(static_cast<std::uint64_t>(entry - at));
    } else {
      layout_.rows_with_blank_t += entry != at;
    }
    at = scan_entries(entry, end, readable);
    if (at == nullptr) return false;
    filled = true;
  }
  layout_.filled_rows += filled;
  layout_.rows_ending_blank += filled && at != end;
  return within_limits() && end_row();
}

bool VectorScanner::within_limits() {
  const VectorFault fault = sizes().fault();
  return fault == VectorFault::none || fail(fault, text_.data());
}

bool VectorScanner::end_row() {
  if (row_.overflow()) return fail(VectorFault::sum_overflow, text_.data());
  const VectorRow::Oddities found = sink_.row(row_);
  layout_.rows_not_ascending += found.not_ascending;
  layout_.repeated_entries += found.repeated;
  return true;
}

// Many entries at once where they are of the usual kind, else one.
const char* VectorScanner::scan_entries(const char* at, const char* end, const char* readable) {
  if (layout_.fields != 4) {
    VectorRow::Gaps gaps;
    const char* const done = row_.add_usual(at, end, readable, gaps);
    if (gaps.widest != 0) {
      layout_.measure_gap(gaps.narrowest);
      layout_.measure_gap(gaps.widest);
    }
    if (done != at) {
      layout_.fields = 2;
      return done;
    }
  }
  return scan_entry(at, end);
}

// `:id:count`; null at a fault. What is not exactly that goes to scan_odd_entry.
const char* VectorScanner::scan_entry(const char* at, const char* end) {
  const char* p = at;
  std::uint64_t id, count;
  if (layout_.fields != 4 && *p == ':' && scan_number(++p, end, id) == Number::good && p != end && *p == ':' &&
      scan_number(++p, end, count) == Number::good && count <= kLargestCount && (p == end || is_blank(*p))) {
    layout_.fields = 2;
    row_.add(id, static_cast<std::int64_t>(count));
    return p;
  }
  return scan_odd_entry(at, end);
}

const char* VectorScanner::scan_odd_entry(const char* at, const char* end) {
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
const char* VectorScanner::scan_wide_entry(const char* at, const char* end) {
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
  row_.add(id, static_cast<std::int64_t>(count));
  return p;
}

bool VectorScanner::fail(VectorFault fault, const char* at) {
  const std::size_t column = at == nullptr ? 0 : static_cast<std::size_t>(at - text_.data());
  error_ = {fault, line_ + 1, column + 1, std::string(text_.substr(std::min(column, text_.size()), kExcerpt))};
  return false;
}

}  // namespace phasemark
