#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace phasemark {

// What models of multinomial states see: sparse rows of counts, from 0 and not necessarily whole, in order of
// time; the first lengths[0] rows are one sequence, those after them the next.
struct Evidence {
  const std::int64_t* indptr;
  const std::int32_t* indices;
  const double* values;
  std::size_t rows;
  std::size_t columns;
  std::span<const std::int64_t> lengths;
};

// States are laid out a multiple of this apart, so that loops over them need no remainder.
inline constexpr std::size_t kStateStep = 4;

inline std::size_t padded_states(std::size_t states) {
  return (states + kStateStep - 1) / kStateStep * kStateStep;
}

}  // namespace phasemark
