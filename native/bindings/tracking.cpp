#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "tracking/accumulator.hpp"
#include "tracking/tracker.hpp"

namespace phasemark {

namespace {

using Keys = In<std::uint64_t, nb::ndim<1>>;
using Numbers = In<std::int64_t, nb::ndim<1>>;

nb::tuple as_tuple(const Observation& seen) { return nb::make_tuple(seen.phase, seen.distance, seen.is_new); }

// The number of the first event that cannot be added, or -1.
std::int64_t add(Accumulator& accumulator, Keys keys, Numbers instructions) {
  const std::size_t n = keys.shape(0);
  if (instructions.shape(0) != n) throw nb::value_error("not as many instructions as keys");
  const std::int64_t* const counts = instructions.data();
  nb::gil_scoped_release release;
  const auto negative = std::find_if(counts, counts + n, [](std::int64_t count) { return count < 0; });
  if (negative != counts + n) return negative - counts;
  return accumulator.add({keys.data(), n}, {counts, n}) ? -1 : static_cast<std::int64_t>(n) - 1;
}

// What became of the interval, or None where it has too many instructions.
nb::object counted(Tracker& tracker, Numbers counts, double metric) {
  const std::size_t n = counts.shape(0);
  if (n == 0 || n != tracker.sizes().counters) throw nb::value_error("counters of another tracker");
  if (std::any_of(counts.data(), counts.data() + n, [](std::int64_t count) { return count < 0; }))
    throw nb::value_error("a counter below 0");
  Observation seen{};
  return tracker.observe({counts.data(), n}, metric, seen) ? nb::object(as_tuple(seen)) : nb::none();
}

nb::tuple tallies_of(const std::vector<Tally>& tallies) {
  std::vector<std::uint64_t> keys;
  std::vector<std::int64_t> counts;
  for (const Tally& tally : tallies) {
    keys.push_back(tally.key);
    counts.push_back(tally.count);
  }
  return nb::make_tuple(taken(std::move(keys)), taken(std::move(counts)));
}

nb::tuple rows(Tracker& tracker, Numbers indptr, In<std::int32_t, nb::ndim<1>> indices, Numbers data, Keys keys,
               In<std::uint8_t, nb::ndim<1>> learns, In<double, nb::ndim<1>> metrics, bool with_vectors) {
  const std::size_t n = learns.shape(0), width = tracker.width();
  if (indptr.shape(0) != n + 1 || indices.shape(0) != data.shape(0) ||
      (metrics.shape(0) != 0 && metrics.shape(0) != n))
    throw nb::value_error("no sparse matrix with a weight, and a metric or none, for each row");
  auto phases = std::make_unique<std::int64_t[]>(n);
  auto distances = std::make_unique<double[]>(n);
  auto is_new = std::make_unique<std::uint8_t[]>(n);
  auto vectors = std::make_unique<double[]>(with_vectors ? n * width : 0);
  std::size_t row = 0;
  bool done = false;
  {
    nb::gil_scoped_release release;
    done = tracker.observe({{indptr.data(), n + 1},
                            {indices.data(), indices.shape(0)},
                            {data.data(), data.shape(0)},
                            {keys.data(), keys.shape(0)},
                            {learns.data(), n},
                            {metrics.data(), metrics.shape(0)}},
                           {phases.get(), distances.get(), is_new.get(), with_vectors ? vectors.get() : nullptr}, row);
  }
  return nb::make_tuple(done ? -1 : static_cast<std::int64_t>(row), own(std::move(phases), {n}),
                        own(std::move(distances), {n}), own(std::move(is_new), {n}),
                        own(std::move(vectors), {with_vectors ? n : 0, width}));
}

// (phase, seen, used, threshold, mean, measured, keys, counts) of each entry.
nb::list entries(const Tracker& tracker) {
  nb::list out;
  for (const SavedEntry& entry : tracker.entries()) {
    const EntryFacts& own = entry.facts;
    const nb::tuple tallies = tallies_of(entry.tallies);
    out.append(nb::make_tuple(own.phase, own.seen, own.used, own.threshold, own.mean, own.measured, tallies[0],
                              tallies[1]));
  }
  return out;
}

nb::tuple facts(const Tracker& tracker) {
  const TableFacts own = tracker.facts();
  return nb::make_tuple(own.clock, own.last_phase, own.current, own.forgotten, tracker.saturated());
}

void restore(Tracker& tracker, nb::list saved, nb::tuple known) {
  const std::uint32_t counters = tracker.sizes().counters;
  std::vector<SavedEntry> entries;
  for (nb::handle each : saved) {
    const auto entry = nb::cast<nb::tuple>(each);
    const auto keys = nb::cast<Keys>(entry[6]);
    const auto counts = nb::cast<Numbers>(entry[7]);
    if (keys.shape(0) != counts.shape(0)) throw nb::value_error("not as many counts as keys");
    std::vector<Tally> tallies;
    for (std::size_t i = 0; i < keys.shape(0); ++i) {
      if (counters != 0 && keys.data()[i] >= counters) throw nb::value_error("a counter that is not there");
      tallies.push_back({keys.data()[i], counts.data()[i]});
    }
    entries.push_back({{nb::cast<std::int64_t>(entry[0]), nb::cast<std::int64_t>(entry[1]),
                        nb::cast<std::int64_t>(entry[2]), nb::cast<double>(entry[3]), nb::cast<double>(entry[4]),
                        nb::cast<std::int64_t>(entry[5])},
                       std::move(tallies)});
  }
  const auto number = [&](int i) { return nb::cast<std::int64_t>(known[i]); };
  tracker.restore(entries, {number(0), number(1), number(2), number(3)}, number(4));
}

}  // namespace

void bind_tracking(nb::module_& m) {
  nb::class_<TrackerSizes>(m, "TrackerSizes")
      .def("__init__",
           [](TrackerSizes* self, std::uint32_t counters, int bits, int compressed, int headroom,
              std::uint64_t signatures, int policy, std::int64_t min_count, double threshold, double deviation,
              std::uint64_t seed) {
             new (self) TrackerSizes{counters,  bits,      compressed, headroom, signatures, static_cast<OnMatch>(policy),
                                     min_count, threshold, deviation,  seed};
           },
           nb::arg("counters"), nb::arg("bits"), nb::arg("compressed"), nb::arg("headroom"), nb::arg("signatures"),
           nb::arg("policy"), nb::arg("min_count"), nb::arg("threshold"), nb::arg("deviation"), nb::arg("seed"));
  nb::class_<Accumulator>(m, "Accumulator")
      .def(nb::init<const TrackerSizes&>(), nb::arg("sizes"))
      .def("add", &add, nb::arg("keys"), nb::arg("instructions"))
      .def("tallies", [](Accumulator& self) { return tallies_of(self.tallies()); })
      .def("is_saturated", &Accumulator::is_saturated)
      .def("clear", &Accumulator::clear);
  nb::class_<Tracker>(m, "Tracker")
      .def(nb::init<const TrackerSizes&>(), nb::arg("sizes"))
      .def("observe",
           [](Tracker& self, Accumulator& accumulator, double metric, bool learns) {
             if (accumulator.counters() != self.sizes().counters) throw nb::value_error("counters of another tracker");
             return as_tuple(self.observe(accumulator, metric, learns));
           },
           nb::arg("accumulator"), nb::arg("metric"), nb::arg("learns"))
      .def("counted", &counted, nb::arg("counts"), nb::arg("metric"))
      .def("rows", &rows, nb::arg("indptr"), nb::arg("indices"), nb::arg("data"), nb::arg("keys"), nb::arg("learns"),
           nb::arg("metrics"), nb::arg("with_vectors"))
      .def("entries", &entries)
      .def("stored", &Tracker::stored)
      .def("facts", &facts)
      .def("restore", &restore, nb::arg("entries"), nb::arg("facts"));
}

}  // namespace phasemark
