#pragma once

#include <cstddef>

namespace phasemark {

// n points in d dimensions, row by row, each with a weight above 0; the weights sum to 1.
struct Points {
  const double* x;
  const double* weight;
  std::size_t n;
  std::size_t d;
};

}  // namespace phasemark
