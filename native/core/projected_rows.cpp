#include "core/projected_rows.hpp"

#include <string>
#include <utility>

namespace phasemark {

void ProjectedRows::row(std::span<VectorRow::Entry> entries, std::int64_t total) {
  const auto number = static_cast<std::int64_t>(lengths.size());
  terms_.resize(entries.size());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    terms_[e] = {blocks_.slot(entries[e].id, number), entries[e].count};
  }
  while (projection_.rows() < blocks_.size()) projection_.add_row(blocks_.ids()[projection_.rows()]);
  matrix.resize(matrix.size() + static_cast<std::size_t>(projection_.dims()));
  projection_.project(terms_, total, matrix.data() + matrix.size() - projection_.dims());
  lengths.push_back(total);
  sizes.push_back(static_cast<std::int32_t>(entries.size()));
}

void ProjectedRows::note(std::uint64_t line, std::string_view text) { notes.push_back({line, std::string(text)}); }

void ProjectedRows::append(ProjectedRows&& next, std::uint64_t lines) {
  const auto before = static_cast<std::int64_t>(lengths.size());
  for (std::size_t slot = 0; slot < next.blocks_.size(); ++slot) {
    blocks_.slot(next.blocks_.ids()[slot], before + next.blocks_.first()[slot]);
  }
  for (VectorNote& note : next.notes) notes.push_back({lines + note.line, std::move(note.text)});
  if (lengths.empty()) {
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
