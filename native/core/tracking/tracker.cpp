#include "tracking/tracker.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace phasemark {

namespace {

// Of a tracker with a counter a key, by which its rows are shown.
constexpr std::size_t kShown = 64;
// Where as many sums as there are banks are under way, one need not wait for another of the same counter.
constexpr std::size_t kBanks = 4;
constexpr std::size_t kMostBanked = 256;  // a byte holds each of so many
// Sums of such counts, of which a row has fewer than 2^32, stay in 64 bits.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 32;

int bit_length(std::int64_t value) { return std::bit_width(static_cast<std::uint64_t>(value)); }

bool is_narrow(const TrackerSizes& sizes) {
  return sizes.compressed != 0 && sizes.compressed < 16 &&
         static_cast<std::int64_t>(sizes.counters) * ((std::int64_t{1} << sizes.compressed) - 1) <=
             NarrowSignature::kMostTotal;
}

}  // namespace

// The rows of a matrix, each as its tallies.
class Tracker::Rows {
 public:
  Rows(const Tracker& tracker, const TrackedRows& rows)
      : sizes_(tracker.sizes_), rows_(rows), width_(tracker.width_), banks_(width_ <= kMostBanked ? kBanks : 1),
        few_(banks_ > 1 ? rows.keys.size() : 0), many_(rows.keys.size() - few_.size()), sums_(width_ * banks_) {
    const std::uint64_t salt = mix64(sizes_.seed);
    for (std::size_t c = 0; c < rows.keys.size(); ++c) {
      const std::uint32_t counter = counter_of(rows.keys[c], salt, static_cast<std::uint32_t>(width_));
      if (few_.empty()) {
        many_[c] = static_cast<std::uint16_t>(counter);
      } else {
        few_[c] = static_cast<std::uint8_t>(counter);
      }
    }
  }

  // Sums up row i: false where it is too much.
  bool take(std::size_t i) {
    begin_ = static_cast<std::size_t>(rows_.indptr[i]);
    end_ = static_cast<std::size_t>(rows_.indptr[i + 1]);
    std::fill(sums_.begin(), sums_.end(), 0);
    const std::uint64_t seen = few_.empty() ? add_up<1>(many_.data()) : add_up<kBanks>(few_.data());
    if (seen >= kSmall) add_up_slowly();
    for (std::size_t bank = 1; bank < banks_; ++bank)
      for (std::size_t c = 0; c < width_; ++c) sums_[c] += sums_[bank * width_ + c];
    total_ = 0;
    for (std::size_t c = 0; c < width_; ++c) total_ += sums_[c];
    return total_ <= kMostInstructions;
  }

  // The counters of the row, as they stop at `largest`.
  std::vector<Tally> hashed(std::int64_t largest, bool& saturated) const {
    std::vector<Tally> out;
    out.reserve(width_);
    for (std::size_t c = 0; c < width_; ++c) {
      if (sums_[c] == 0) continue;
      const auto count = static_cast<std::int64_t>(std::min(sums_[c], static_cast<std::uint64_t>(largest)));
      saturated |= count == largest;
      out.push_back({c, count});
    }
    return out;
  }

  // The row as it is, by key.
  std::vector<Tally> exact() const {
    std::vector<Tally> out;
    for (std::size_t e = begin_; e < end_; ++e)
      if (rows_.data[e] != 0) out.push_back({rows_.keys[static_cast<std::size_t>(rows_.indices[e])], rows_.data[e]});
    std::sort(out.begin(), out.end(), [](const Tally& a, const Tally& b) { return a.key < b.key; });
    return out;
  }

  void shares(double* out) const {
    const double total = total_ != 0 ? static_cast<double>(total_) : 1.0;
    for (std::size_t c = 0; c < width_; ++c) out[c] = static_cast<double>(sums_[c]) / total;
  }

 private:
  // Returns bits of which none is higher than the largest count's highest.
  template <std::size_t banks, class Counter>
  std::uint64_t add_up(const Counter* counter) {
    const std::int32_t* const indices = rows_.indices.data();
    const std::int64_t* const data = rows_.data.data();
    std::uint64_t* sums[banks];
    for (std::size_t b = 0; b < banks; ++b) sums[b] = sums_.data() + b * width_;
    std::uint64_t seen = 0;
    std::size_t e = begin_;
    for (const std::size_t end = end_; e + banks <= end; e += banks) {
      // All are read before the first is written: to the compiler they may be the same memory.
      std::uint64_t counts[banks];
      std::size_t counters[banks];
      for (std::size_t b = 0; b < banks; ++b) {
        counts[b] = static_cast<std::uint64_t>(data[e + b]);
        counters[b] = counter[static_cast<std::size_t>(indices[e + b])];
      }
      for (std::size_t b = 0; b < banks; ++b) {
        sums[b][counters[b]] += counts[b];
        seen |= counts[b];
      }
    }
    for (; e < end_; ++e) {
      sums[0][counter[static_cast<std::size_t>(indices[e])]] += static_cast<std::uint64_t>(data[e]);
      seen |= static_cast<std::uint64_t>(data[e]);
    }
    return seen;
  }

  // With sums that stop where 64 bits might not hold them: above every count that a tracker takes.
  void add_up_slowly() {
    std::fill(sums_.begin(), sums_.end(), 0);
    const std::uint64_t most = std::uint64_t{1} << 63;
    for (std::size_t e = begin_; e < end_; ++e) {
      const auto column = static_cast<std::size_t>(rows_.indices[e]);
      std::uint64_t& sum = sums_[few_.empty() ? many_[column] : few_[column]];
      sum = std::min(sum + static_cast<std::uint64_t>(rows_.data[e]), most);
    }
  }

  const TrackerSizes& sizes_;
  const TrackedRows& rows_;
  std::size_t width_, banks_, begin_ = 0, end_ = 0;
  std::vector<std::uint8_t> few_;     // the counter of each column, where a byte holds it
  std::vector<std::uint16_t> many_;   // otherwise
  std::vector<std::uint64_t> sums_;   // a bank after the other
  unsigned __int128 total_ = 0;
};

Tracker::Tracker(const TrackerSizes& sizes)
    : sizes_(sizes), width_(sizes.counters != 0 ? sizes.counters : kShown),
      table_(SignatureTable<WideSignature>(sizes)) {
  if (is_narrow(sizes)) table_ = SignatureTable<NarrowSignature>(sizes);
}

Observation Tracker::observe(Accumulator& accumulator, double metric, bool learns) {
  if (learns) saturated_ += accumulator.is_saturated();
  return observe(accumulator.tallies(), metric, learns);
}

bool Tracker::observe(std::span<const std::int64_t> counts, double metric, Observation& out) {
  const std::int64_t largest = largest_count(sizes_);
  std::int64_t total = 0;
  std::vector<Tally> tallies;
  bool saturated = false;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    if (sizes_.bits == 0 && counts[c] > kMostInstructions - total) return false;
    total += sizes_.bits == 0 ? counts[c] : 0;
    tallies.push_back({c, std::min(counts[c], largest)});
    saturated |= tallies.back().count == largest;
  }
  saturated_ += saturated;
  out = observe(std::move(tallies), metric, true);
  return true;
}

bool Tracker::observe(const TrackedRows& rows, const TrackedOut& out, std::size_t& row) {
  Rows source(*this, rows);
  const std::int64_t largest = largest_count(sizes_);
  for (row = 0; row + 1 < rows.indptr.size(); ++row) {
    const bool fits = source.take(row);
    if (!fits && sizes_.bits == 0) return false;
    const bool learns = rows.learns[row] != 0;
    bool saturated = false;
    std::vector<Tally> tallies = sizes_.counters != 0 ? source.hashed(largest, saturated) : source.exact();
    if (learns) saturated_ += saturated;
    const double metric = rows.metrics.empty() ? std::numeric_limits<double>::quiet_NaN() : rows.metrics[row];
    const Observation seen = observe(std::move(tallies), metric, learns);
    out.phases[row] = seen.phase;
    out.distances[row] = seen.distance;
    out.is_new[row] = seen.is_new;
    if (out.vectors != nullptr) source.shares(out.vectors + row * width_);
  }
  return true;
}

Observation Tracker::observe(std::vector<Tally> tallies, double metric, bool learns) {
  return std::visit(
      [&]<class Signature>(SignatureTable<Signature>& table) -> Observation {
        if (tallies.empty()) return {table.facts.current, 0.0, false};
        compress(tallies);
        return table.observe(Signature(std::move(tallies), sizes_.counters), metric, learns);
      },
      table_);
}

// Of each counter the bits from `headroom` above the mean counter's highest; all ones of one that is larger. The
// largest counter keeps a bit in any case, so that something is left.
void Tracker::compress(std::vector<Tally>& tallies) const {
  if (sizes_.compressed == 0) return;
  std::int64_t total = 0, largest = 0;
  for (const Tally& tally : tallies) {
    total += tally.count;
    largest = std::max(largest, tally.count);
  }
  const int highest = bit_length(total / static_cast<std::int64_t>(sizes_.counters)) + sizes_.headroom;
  const int shift = std::max(0, std::min(highest - sizes_.compressed, bit_length(largest) - 1));
  const std::int64_t most = (std::int64_t{1} << sizes_.compressed) - 1;
  std::size_t n = 0;
  for (const Tally& tally : tallies)
    if (const std::int64_t count = std::min(tally.count >> shift, most)) tallies[n++] = {tally.key, count};
  tallies.resize(n);
}

TableFacts Tracker::facts() const {
  return std::visit([](const auto& table) { return table.facts; }, table_);
}

std::size_t Tracker::stored() const {
  return std::visit([](const auto& table) { return table.entries.size(); }, table_);
}

std::vector<SavedEntry> Tracker::entries() const {
  std::vector<SavedEntry> out;
  std::visit(
      [&](const auto& table) {
        for (const auto& entry : table.entries) out.push_back({entry.facts, entry.signature.tallies()});
      },
      table_);
  return out;
}

void Tracker::restore(const std::vector<SavedEntry>& entries, const TableFacts& facts, std::int64_t saturated) {
  saturated_ = saturated;
  std::visit(
      [&]<class Signature>(SignatureTable<Signature>& table) {
        table.facts = facts;
        table.entries.clear();
        for (const SavedEntry& entry : entries)
          table.entries.push_back({Signature(entry.tallies, sizes_.counters), entry.facts});
      },
      table_);
}

}  // namespace phasemark
