#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/block_table.hpp"
#include "vectors/vector_scanner.hpp"

namespace phasemark {

// A line that is no vector.
struct VectorNote {
  std::uint64_t line;
  std::string text;
};

// Keeps the rows of a vector file as compressed sparse rows.
class VectorRows final : public VectorSink {
 public:
  struct Place {
    std::uint64_t id;
    std::string text;
  };
  // Distinct ids in ascending order, the row that first names each, and each entry's index among them.
  struct Blocks {
    std::vector<std::uint64_t> ids;
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> columns;
  };

  VectorRow::Oddities row(VectorRow& row) override;
  void place(std::uint64_t id, std::string_view addresses) override;
  void note(std::uint64_t line, std::string_view text) override;

  Blocks blocks() const;

  std::vector<std::int64_t> starts{0};  // rows + 1
  std::vector<std::int64_t> lengths;    // instructions of each row
  std::vector<std::int32_t> sizes;      // blocks that each row names
  std::vector<std::uint64_t> ids;
  std::vector<std::int64_t> counts;
  std::vector<VectorNote> notes;
  std::vector<Place> places;  // of each id, as first written

 private:
  BlockTable placed_;  // ids in `places`
};

}  // namespace phasemark
