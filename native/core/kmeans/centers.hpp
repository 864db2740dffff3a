#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace phasemark {

// The centre nearest to a point, ties to the lowest index, and the squared distances to it and to the
// second nearest (infinite where there is none).
struct Nearest {
  std::int32_t index;
  double squared;
  double second;
};

// Points and centres are rows of d coordinates, filled up with zeros to a multiple of so many. A squared distance
// is summed in kLanes parts, dimension j in part j mod kLanes, and the parts in pairs: vector instructions give the
// same bits whether they take the dimensions of one distance or those of several.
inline constexpr std::size_t kLanes = 4;

constexpr std::size_t padded(std::size_t d) { return (d + kLanes - 1) / kLanes * kLanes; }

using Doubles = double __attribute__((vector_size(kLanes * sizeof(double)), aligned(8)));

// Squared Euclidean distance; `d` is a multiple of kLanes.
inline __attribute__((always_inline)) double squared_distance(const double* a, const double* b, std::size_t d) noexcept {
  Doubles parts = {};
  for (std::size_t j = 0; j < d; j += kLanes) {
    const Doubles difference = *reinterpret_cast<const Doubles*>(a + j) - *reinterpret_cast<const Doubles*>(b + j);
    parts += difference * difference;
  }
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

// Of each of n rows to one centre.
void squared_distances(const double* rows, std::size_t n, std::size_t d, const double* center, double* out);
// Of each of n rows to the centre that its label names.
void squared_distances(const double* rows, std::size_t n, std::size_t d, const double* centers,
                       const std::int32_t* labels, double* out);

// A table of centres laid out for the search of the nearest one: dimension by dimension, so that a
// vector instruction takes several centres at a time.
class CenterTable {
 public:
  // k rows of d coordinates, a multiple of kLanes.
  CenterTable(const double* centers, std::size_t k, std::size_t d);

  Nearest nearest(const double* point) const;
  // To each of the n rows that `chosen` names.
  void nearest(const double* rows, const std::size_t* chosen, std::size_t n, Nearest* out) const;

 private:
  std::size_t d_, stride_;
  std::vector<double> columns_;
};

}  // namespace phasemark
