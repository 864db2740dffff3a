#include "vectors/vector_rows.hpp"

#include <algorithm>

namespace phasemark {

VectorRow::Oddities VectorRows::row(VectorRow& row) {
  const VectorRow::Oddities found = row.tidy();
  for (const VectorRow::Entry& entry : row.entries()) {
    ids.push_back(entry.id);
    counts.push_back(entry.count);
  }
  starts.push_back(static_cast<std::int64_t>(counts.size()));
  lengths.push_back(row.total());
  sizes.push_back(static_cast<std::int32_t>(row.entries().size()));
  return found;
}

void VectorRows::place(std::uint64_t id, std::string_view addresses) {
  if (placed_.slot(id, 0) == places.size()) places.push_back({id, std::string(addresses)});
}

void VectorRows::note(std::uint64_t line, std::string_view text) { notes.push_back({line, std::string(text)}); }

VectorRows::Blocks VectorRows::blocks() const {
  BlockTable table;
  std::vector<std::int32_t> columns(ids.size());
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    for (auto e = static_cast<std::size_t>(starts[row]); e < static_cast<std::size_t>(starts[row + 1]); ++e) {
      columns[e] = static_cast<std::int32_t>(table.slot(ids[e], static_cast<std::int64_t>(row)));
    }
  }
  BlockTable::Sorted sorted = table.sorted();
  for (std::int32_t& column : columns) column = sorted.rank[static_cast<std::size_t>(column)];
  return {std::move(sorted.ids), std::move(sorted.first), std::move(columns)};
}

}  // namespace phasemark
