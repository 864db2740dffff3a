#include "tracking/accumulator.hpp"

#include <algorithm>

namespace phasemark {

namespace {

// So many tallies more than there are keys are kept before they are put together.
constexpr std::size_t kLoose = 1 << 14;

}  // namespace

std::int64_t largest_count(const TrackerSizes& sizes) {
  return sizes.bits == 0 ? kMostInstructions : (std::int64_t{1} << sizes.bits) - 1;
}

Accumulator::Accumulator(const TrackerSizes& sizes)
    : salt_(mix64(sizes.seed)), largest_(largest_count(sizes)), counts_(sizes.counters) {}

bool Accumulator::add(std::span<const std::uint64_t> keys, std::span<const std::int64_t> instructions) {
  if (counts_.empty() || largest_ == kMostInstructions) return add_exactly(keys, instructions);
  const auto counters = static_cast<std::uint32_t>(counts_.size());
  std::int64_t* const counts = counts_.data();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::int64_t& count = counts[counter_of(keys[i], salt_, counters)];
    // No sum leaves 64 bits: the first is at most 2^62, and the second below 2^63.
    const std::uint64_t sum = static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(instructions[i]);
    count = static_cast<std::int64_t>(std::min(sum, static_cast<std::uint64_t>(largest_)));
  }
  return true;
}

bool Accumulator::add_exactly(std::span<const std::uint64_t> keys, std::span<const std::int64_t> instructions) {
  const auto counters = static_cast<std::uint32_t>(counts_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (instructions[i] > kMostInstructions - total_) return false;
    total_ += instructions[i];
    if (counters != 0) {
      counts_[counter_of(keys[i], salt_, counters)] += instructions[i];
    } else {
      exact_.push_back({keys[i], instructions[i]});
      if (exact_.size() > 2 * merged_ + kLoose) merge();
    }
  }
  return true;
}

void Accumulator::merge() {
  std::sort(exact_.begin(), exact_.end(), [](const Tally& a, const Tally& b) { return a.key < b.key; });
  std::size_t n = 0;
  for (const Tally& tally : exact_) {
    if (tally.count == 0) continue;
    if (n != 0 && exact_[n - 1].key == tally.key) {
      exact_[n - 1].count += tally.count;
    } else {
      exact_[n++] = tally;
    }
  }
  exact_.resize(n);
  merged_ = n;
}

std::vector<Tally> Accumulator::tallies() {
  if (counts_.empty()) {
    merge();
    return exact_;
  }
  std::vector<Tally> out;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] != 0) out.push_back({i, counts_[i]});
  return out;
}

bool Accumulator::is_saturated() const {
  return std::any_of(counts_.begin(), counts_.end(), [this](std::int64_t count) { return count >= largest_; });
}

void Accumulator::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  exact_.clear();
  merged_ = 0;
  total_ = 0;
}

}  // namespace phasemark
