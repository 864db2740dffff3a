#include "projection/projected_rows.hpp"

#include <span>
#include <string>
#include <utility>

namespace phasemark {

// Sums do not depend on the order of their terms, so a row in disorder need not be sorted.
VectorRow::Oddities ProjectedRows::row(VectorRow& row) {
  const auto number = static_cast<std::int64_t>(lengths.size());
  VectorRow::Oddities found;
  const bool disorder = !row.is_tidy() && !row.has_zeros();
  if (disorder) {
    found.not_ascending = !row.is_sorted();
  } else {
    found = row.tidy();
  }
  const std::span<const VectorRow::Entry> entries = row.entries();
  terms_.resize(entries.size());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    terms_[e] = {blocks_.slot(entries[e].id, number), entries[e].count};
  }
  if (disorder) found.repeated = count_repeated(number);
  while (projection_.rows() < blocks_.size()) projection_.add_row(blocks_.ids()[projection_.rows()]);
  matrix.resize(matrix.size() + static_cast<std::size_t>(projection_.dims()));
  projection_.project(terms_, row.total(), matrix.data() + matrix.size() - projection_.dims());
  lengths.push_back(row.total());
  const std::uint64_t named = disorder ? entries.size() - found.repeated : entries.size();
  sizes.push_back(static_cast<std::int32_t>(named));
  return found;
}

// Terms of row `row` whose block another one names too, but for the first of each.
std::uint64_t ProjectedRows::count_repeated(std::int64_t row) {
  last_row_.resize(blocks_.size(), -1);
  std::uint64_t repeated = 0;
  for (const Projection::Term& term : terms_) {
    repeated += last_row_[term.row] == row;
    last_row_[term.row] = row;
  }
  return repeated;
}

void ProjectedRows::note(std::uint64_t line, std::string_view text) { notes.push_back({line, std::string(text)}); }

void ProjectedRows::reserve(std::size_t rows) {
  matrix.reserve(rows * static_cast<std::size_t>(projection_.dims()));
  lengths.reserve(rows);
  sizes.reserve(rows);
}

void ProjectedRows::append(ProjectedRows&& next, std::uint64_t lines) {
  const auto before = static_cast<std::int64_t>(lengths.size());
  for (std::size_t slot = 0; slot < next.blocks_.size(); ++slot) {
    blocks_.slot(next.blocks_.ids()[slot], before + next.blocks_.first()[slot]);
  }
  for (VectorNote& note : next.notes) notes.push_back({lines + note.line, std::move(note.text)});
  if (lengths.capacity() == 0) {
    matrix = std::move(next.matrix);
    lengths = std::move(next.lengths);
    sizes = std::move(next.sizes);
    return;
  }
  matrix.insert(matrix.end(), next.matrix.begin(), next.matrix.end());
  lengths.insert(lengths.end(), next.lengths.begin(), next.lengths.end());
  sizes.insert(sizes.end(), next.sizes.begin(), next.sizes.end());
}

}  // namespace phasemark
