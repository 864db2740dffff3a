#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tracking/signature.hpp"
#include "tracking/sizes.hpp"

namespace phasemark {

// Instructions by hashed key, in counters that stop at their largest value; or by key, where there are as many
// counters as it takes.
class Accumulator {
 public:
  explicit Accumulator(const TrackerSizes& sizes);

  // Adds instructions[i], none below 0, to the counter of keys[i]. False, with nothing more added, where counters
  // without a largest value would hold more than kMostInstructions.
  bool add(std::span<const std::uint64_t> keys, std::span<const std::int64_t> instructions);

  std::uint32_t counters() const noexcept { return static_cast<std::uint32_t>(counts_.size()); }
  // What is not 0, by ascending key or counter.
  std::vector<Tally> tallies();
  // Whether a counter has reached its largest value.
  bool is_saturated() const;
  void clear();

 private:
  bool add_exactly(std::span<const std::uint64_t> keys, std::span<const std::int64_t> instructions);
  void merge();

  std::uint64_t salt_;
  std::int64_t largest_;
  std::int64_t total_ = 0;           // of what has no largest value
  std::vector<std::int64_t> counts_;  // a hashed one each
  std::vector<Tally> exact_;          // the first merged_ of them by ascending key, each once
  std::size_t merged_ = 0;
};

// The largest value of a counter.
std::int64_t largest_count(const TrackerSizes& sizes);

}  // namespace phasemark
