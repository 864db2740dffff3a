#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vectors/block_table.hpp"
#include "projection/projection.hpp"
#include "vectors/vector_rows.hpp"
#include "vectors/vector_scanner.hpp"

namespace phasemark {

// Projects each row of a vector file as it is read, and keeps no counts: memory grows with rows x dims and
// with the distinct ids, not with the text. Row for row the same bits as project() gives for VectorRows.
class ProjectedRows final : public VectorSink {
 public:
  ProjectedRows(std::uint64_t seed, int dims) : projection_(seed, dims) {}

  VectorRow::Oddities row(VectorRow& row) override;
  void place(std::uint64_t, std::string_view) override {}  // a name that no row needs
  void note(std::uint64_t line, std::string_view text) override;

  // Makes room for so many rows that parts append.
  void reserve(std::size_t rows);
  // The rows of a part of the file that follows this one, in which lines are counted from `lines` on.
  void append(ProjectedRows&& next, std::uint64_t lines);

  // Gives back the memory of the projection matrix, which is made again when another row comes.
  void release() { projection_ = Projection(projection_.seed(), projection_.dims()); }

  const BlockTable& blocks() const noexcept { return blocks_; }

  std::vector<double> matrix;  // rows x dims
  std::vector<std::int64_t> lengths;  // instructions of each row
  std::vector<std::int32_t> sizes;    // blocks that each row names
  std::vector<VectorNote> notes;

 private:
  std::uint64_t count_repeated(std::int64_t row);

  BlockTable blocks_;
  Projection projection_;  // a row for each number in blocks_, as far as they were projected
  std::vector<Projection::Term> terms_;
  std::vector<std::int64_t> last_row_;  // in disorder that named a block, by its number in blocks_
};

}  // namespace phasemark
