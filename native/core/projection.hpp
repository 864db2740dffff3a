#pragma once

#include <cstdint>
#include <span>

namespace phasemark {

// Rows of the random projection matrix for `keys`: entry (key, j) = 2u - 1, u ~ U(0, 1), a pure
// function of (seed, key, j). `out` holds keys.size() x dims values, row by row.
void projection_rows(std::span<const std::uint64_t> keys, std::uint64_t seed, int dims, double* out);

}  // namespace phasemark
