#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "counts/sparse_row.hpp"

namespace phasemark {

// Sums of the counts of some rows and columns of a sparse matrix: entry (g, p) is the sum over the rows of group g
// and the columns of place p. `group` has a group (below `groups`) for each row, `place` a place (below `places`)
// for each column.
SparseRows gathered(std::span<const std::int64_t> indptr, std::span<const std::int32_t> indices,
                    std::span<const std::int64_t> data, std::span<const std::int64_t> group, std::size_t groups,
                    std::span<const std::int32_t> place, std::size_t places);

}  // namespace phasemark
