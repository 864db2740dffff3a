#include "core/projection.hpp"

#include "core/random.hpp"

namespace phasemark {

void projection_rows(std::span<const std::uint64_t> keys, std::uint64_t seed, int dims, double* out) {
  const std::uint64_t stream = mix64(seed);
  for (const std::uint64_t key : keys) {
    const std::uint64_t base = mix64(stream ^ mix64(key));
    for (int j = 0; j < dims; ++j) {
      *out++ = 2.0 * unit_interval(mix64(base + static_cast<std::uint64_t>(j))) - 1.0;
    }
  }
}

}  // namespace phasemark
