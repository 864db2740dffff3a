#pragma once

#include <cstdint>
#include <functional>

#include "projection/projected_rows.hpp"
#include "vectors/vector_scanner.hpp"

namespace phasemark {

// The rows of a file of vectors, projected.
class ProjectedFile {
 public:
  ProjectedFile(std::uint64_t seed, int dims) : rows(seed, dims) {}

  // Reads an open, regular file of plain text in parts of about `part` bytes (0: as suits it) that end with a line,
  // on at most `threads` threads. What is found does not depend on the parts. `tick` as in parallel_for; false when
  // it stopped the work.
  //
  // Throws std::system_error when the file cannot be read.
  bool read(int file, std::uint64_t size, std::uint64_t seed, int dims, int threads,
            std::uint64_t part = 0, const std::function<bool()>& tick = {});

  ProjectedRows rows;
  VectorLayout layout;
  VectorError error;        // its fault is none where all is well
  std::uint64_t lines = 0;  // read whole

 private:
  void read_in_one(int file, std::uint64_t size, std::uint64_t seed, int dims);
};

}  // namespace phasemark
