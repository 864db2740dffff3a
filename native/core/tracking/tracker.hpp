#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "tracking/accumulator.hpp"
#include "tracking/sizes.hpp"
#include "tracking/table.hpp"

namespace phasemark {

// Rows of counts, intervals x columns (CSR), and what belongs to each row.
struct TrackedRows {
  std::span<const std::int64_t> indptr;
  std::span<const std::int32_t> indices;
  std::span<const std::int64_t> data;
  std::span<const std::uint64_t> keys;    // a column each
  std::span<const std::uint8_t> learns;   // a row each: whether it leaves a trace
  std::span<const double> metrics;        // a row each, NaN: not measured; or none
};

// Where observations of rows go; `vectors` is null or holds rows x width: each row's shares by hashed counter.
struct TrackedOut {
  std::int64_t* phases;
  double* distances;
  std::uint8_t* is_new;
  double* vectors;
};

// A signature as it is stored, for state that is saved.
struct SavedEntry {
  EntryFacts facts;
  std::vector<Tally> tallies;
};

// Phases of intervals, one after the other, in constant memory: "Discovering and exploiting program phases", its
// second half.
class Tracker {
 public:
  explicit Tracker(const TrackerSizes& sizes);

  const TrackerSizes& sizes() const noexcept { return sizes_; }
  // Counters in `vectors`: those there are, or a few where each key has its own.
  std::size_t width() const noexcept { return width_; }

  // The interval that an accumulator holds. One that holds nothing is of the phase before it.
  Observation observe(Accumulator& accumulator, double metric, bool learns);

  // The same of an interval whose instructions, none below 0, are in this tracker's counters already. False, with
  // nothing observed, where they are more than kMostInstructions and counters do not stop.
  bool observe(std::span<const std::int64_t> counts, double metric, Observation& out);

  // The same of each row. False where a row has more than kMostInstructions without counters that stop; `row` is its
  // number, and the rows before it are observed.
  bool observe(const TrackedRows& rows, const TrackedOut& out, std::size_t& row);

  std::int64_t saturated() const noexcept { return saturated_; }
  TableFacts facts() const;
  std::size_t stored() const;
  std::vector<SavedEntry> entries() const;
  void restore(const std::vector<SavedEntry>& entries, const TableFacts& facts, std::int64_t saturated);

 private:
  class Rows;

  Observation observe(std::vector<Tally> tallies, double metric, bool learns);
  void compress(std::vector<Tally>& tallies) const;

  TrackerSizes sizes_;
  std::size_t width_;
  std::int64_t saturated_ = 0;
  std::variant<SignatureTable<NarrowSignature>, SignatureTable<WideSignature>> table_;
};

}  // namespace phasemark
