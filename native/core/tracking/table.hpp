#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tracking/signature.hpp"
#include "tracking/sizes.hpp"

namespace phasemark {

// What became of an interval.
struct Observation {
  std::int64_t phase;
  double distance;
  bool is_new;
};

// What is known of a stored signature but for itself.
struct EntryFacts {
  std::int64_t phase;     // 0: not yet one
  std::int64_t seen;      // sightings
  std::int64_t used;      // when last
  double threshold;
  double mean;            // of the metric, over `measured` sightings since the threshold changed
  std::int64_t measured;
};

// What a tracker counts beside.
struct TableFacts {
  std::int64_t clock = 0;      // intervals that were learnt from
  std::int64_t last_phase = 0;  // number of the newest phase
  std::int64_t current = 0;    // phase of the interval before
  std::int64_t forgotten = 0;  // signatures that gave way to others
};

// The largest L1 distance of two normalised vectors: what is new is as far as that from nothing.
inline constexpr double kFarthest = 2.0;

// The table of past signatures, in the order in which they were stored.
template <class Signature>
class SignatureTable {
 public:
  struct Entry {
    Signature signature;
    EntryFacts facts;
  };

  explicit SignatureTable(const TrackerSizes& sizes) : sizes_(sizes) {}

  Observation observe(Signature&& signature, double metric, bool learns) {
    const auto [entry, distance] = closest(signature);
    if (!learns) return {entry != nullptr ? entry->facts.phase : 0, distance, false};
    ++facts.clock;
    const bool is_new = entry == nullptr;
    const std::int64_t phase = is_new ? store(std::move(signature), metric) : match(*entry, signature, metric);
    facts.current = phase;
    return {phase, distance, is_new};
  }

  TableFacts facts;
  std::vector<Entry> entries;

 private:
  // The nearest of those that are nearer than their thresholds, the earliest of several; null: there is none. The
  // distance is its, or that of the nearest of all.
  std::pair<Entry*, double> closest(const Signature& signature) {
    Entry* found = nullptr;
    double nearest = kFarthest, matched = kFarthest;
    for (Entry& entry : entries) {
      const double distance = entry.signature.distance(signature);
      nearest = std::min(nearest, distance);
      if (distance < entry.facts.threshold && (found == nullptr || distance < matched)) {
        found = &entry;
        matched = distance;
      }
    }
    return {found, found != nullptr ? matched : nearest};
  }

  std::int64_t match(Entry& entry, const Signature& signature, double metric) {
    EntryFacts& own = entry.facts;
    ++own.seen;
    own.used = facts.clock;
    if (own.phase == 0 && own.seen >= sizes_.min_count) own.phase = ++facts.last_phase;
    if (sizes_.policy == OnMatch::replace) entry.signature = signature;
    if (sizes_.policy == OnMatch::average) entry.signature.average(signature);
    if (!std::isnan(metric)) adapt(own, metric);
    return own.phase;
  }

  // A phase whose metric varies is divided: what is less alike is another one from now on.
  void adapt(EntryFacts& own, double metric) const {
    if (own.measured > 0 && std::abs(metric - own.mean) > sizes_.deviation * std::abs(own.mean)) {
      own.threshold /= 2;
      own.measured = 0;
      own.mean = 0;
    }
    own.mean += (metric - own.mean) / static_cast<double>(++own.measured);
  }

  std::int64_t store(Signature&& signature, double metric) {
    if (sizes_.signatures != 0 && entries.size() >= sizes_.signatures) {
      const auto oldest = std::min_element(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.facts.used < b.facts.used;
      });
      entries.erase(oldest);
      ++facts.forgotten;
    }
    const bool measured = !std::isnan(metric);
    const std::int64_t phase = sizes_.min_count <= 1 ? ++facts.last_phase : 0;
    entries.push_back({std::move(signature),
                       {phase, 1, facts.clock, sizes_.threshold, measured ? metric : 0.0, measured ? 1 : 0}});
    return phase;
  }

  TrackerSizes sizes_;
};

}  // namespace phasemark
