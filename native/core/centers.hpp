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

// A table of centres laid out for the search of the nearest one: dimension by dimension, so that a
// vector instruction takes several centres at a time and each distance is still summed in the order of
// the dimensions. The result is therefore the same on every machine.
class CenterTable {
 public:
  CenterTable(const double* centers, std::size_t k, std::size_t d);

  Nearest nearest(const double* point) const;
  // Of each of n points.
  void nearest(const double* x, std::size_t n, std::int32_t* labels, double* squared_distances) const;

 private:
  std::size_t d_, stride_;
  std::vector<double> columns_;
};

// Squared Euclidean distance, summed in the order of the dimensions.
inline double squared_distance(const double* a, const double* b, std::size_t d) noexcept {
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double difference = a[j] - b[j];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace phasemark
