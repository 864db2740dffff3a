#include "intervals/interval_ends.hpp"

#include <algorithm>
#include <limits>

namespace phasemark {

IntervalEnds interval_ends(std::span<const std::int64_t> lengths, std::int64_t block) {
  IntervalEnds out;
  double least = -std::numeric_limits<double>::infinity();
  out.shortest = out.latest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t length : lengths) {
    if (length <= 0) continue;
    ++out.n;
    out.shortest = std::min(out.shortest, length);
    out.longest = std::max(out.longest, length);
    out.overflow |= __builtin_add_overflow(out.total, length, &out.total);
    out.latest = std::min(out.latest, out.total / static_cast<std::int64_t>(out.n));
    least = std::max(least, (static_cast<double>(out.total) - static_cast<double>(block)) / static_cast<double>(out.n));
  }
  if (out.n == 0) return {};
  out.earliest = static_cast<std::int64_t>(least) + 1;
  return out;
}

}  // namespace phasemark
