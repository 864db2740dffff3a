// Basic block vectors in text, any dialect: bytes in, rows out, in one pass over chunks of a stream.
//
//   T:1:20 :2:30 ...            an interval: id and count of each block that ran
//   T:pc1:pc2:1:20 ...          the same, each block with its first and last address
//   # ..., Block id: ...        any other line is a note, handed on as it is
//
// The scanner knows lines and entries and nothing else; what becomes of a row is its sink's part, so
// that a sink can keep rows, or project them at once and keep nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "vectors/vector_row.hpp"

namespace phasemark {

enum class VectorFault {
  none,
  binary_byte,     // a NUL
  no_colon,        // an entry that does not start with a colon
  bad_id,          // no decimal number between the first and second colon
  bad_count,       // no decimal number after the second colon
  field_count,     // an entry of neither two nor four fields, or both in one file
  bad_address,     // no number in the first two of four fields
  id_overflow,     // 2^64 or more
  count_overflow,  // 2^63 or more
  sum_overflow,    // the interval's instructions are 2^63 or more
  long_line,       // longer than kLongestLine
  many_rows,       // more than kMostRows
  many_empty_rows, // more than kMostEmptyRows
  many_notes,      // more than kMostNotes, or of more than kMostNoteBytes
};

// A few bytes of a damaged or hostile file, or of a gzip stream, must not fill memory. No interval of a real program
// names so many blocks, and no run has so many intervals.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 26;
inline constexpr std::uint64_t kMostRows = std::uint64_t{1} << 24;
inline constexpr std::uint64_t kMostEmptyRows = std::uint64_t{1} << 22;
inline constexpr std::uint64_t kMostNotes = std::uint64_t{1} << 22;
inline constexpr std::uint64_t kMostNoteBytes = std::uint64_t{1} << 28;

// What is kept of lines, whatever becomes of the entries.
struct VectorSizes {
  std::uint64_t rows = 0;
  std::uint64_t empty_rows = 0;
  std::uint64_t notes = 0;
  std::uint64_t note_bytes = 0;

  // The limit that they exceed.
  VectorFault fault() const noexcept;
};

struct VectorError {
  VectorFault fault = VectorFault::none;
  std::uint64_t line = 0;
  std::uint64_t column = 0;  // both from 1
  std::string excerpt;       // what stands there
};

// How the lines are laid out, by which dialects are told apart.
struct VectorLayout {
  std::uint64_t rows = 0;
  std::uint64_t filled_rows = 0;          // rows with an entry
  std::uint64_t rows_with_blank_t = 0;    // `T :1:20`
  std::uint64_t rows_ending_blank = 0;    // `... :2:30 `
  std::uint64_t rows_not_ascending = 0;   // ids in another order
  std::uint64_t repeated_entries = 0;     // an id again in its row
  std::uint64_t narrowest_gap = 0;        // blanks between entries; 0 where no row has two
  std::uint64_t widest_gap = 0;
  int fields = 0;                         // of an entry: 2 or 4, 0 where there is none

  // The rows of `next` below these; false where one has entries of two fields and the other of four.
  bool append(const VectorLayout& next);
  void measure_gap(std::uint64_t blanks);
};

// What becomes of the lines.
class VectorSink {
 public:
  // An interval as it was read; the sink may tidy it. Says what was odd about it.
  virtual VectorRow::Oddities row(VectorRow& row) = 0;
  // The addresses of an entry of four fields.
  virtual void place(std::uint64_t id, std::string_view addresses) = 0;
  // A line that is no vector.
  virtual void note(std::uint64_t line, std::string_view text) = 0;

 protected:
  ~VectorSink() = default;
};

class VectorScanner {
 public:
  explicit VectorScanner(VectorSink& sink) : sink_(sink) {}

  // The next bytes of the stream, cut anywhere; false when they hold a fault: see error().
  bool feed(std::string_view bytes);
  // The stream ended; its last line may lack a line end.
  bool finish();

  const VectorError& error() const noexcept { return error_; }
  const VectorLayout& layout() const noexcept { return layout_; }
  VectorSizes sizes() const noexcept { return {layout_.rows, layout_.rows - layout_.filled_rows, notes_, note_bytes_}; }
  std::uint64_t line() const noexcept { return line_; }  // lines read whole

 private:
  bool scan_line(std::string_view line, const char* readable);
  bool scan_vector(const char* at, const char* end, const char* readable);
  bool end_row();
  bool within_limits();
  const char* scan_entries(const char* at, const char* end, const char* readable);
  const char* scan_entry(const char* at, const char* end);
  const char* scan_odd_entry(const char* at, const char* end);
  const char* scan_wide_entry(const char* at, const char* end);
  bool fail(VectorFault fault, const char* at);

  VectorSink& sink_;
  VectorError error_;
  VectorLayout layout_;
  std::uint64_t line_ = 0;
  std::uint64_t notes_ = 0;
  std::uint64_t note_bytes_ = 0;
  VectorRow row_;
  std::string_view text_;  // the line at hand
  std::string carry_;      // the beginning of a line whose end has not come yet
};

}  // namespace phasemark
