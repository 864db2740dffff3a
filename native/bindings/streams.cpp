#include <algorithm>
#include <limits>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "streams/interval_rows.hpp"
#include "streams/records.hpp"

namespace phasemark {

namespace {

using Bytes = In<std::uint8_t, nb::ndim<1>>;
using Ints = In<std::int64_t, nb::ndim<1>>;

std::span<const std::int64_t> span(const Ints& values) { return {values.data(), values.shape(0)}; }

nb::tuple records(Bytes bytes, std::int64_t at) {
  if (at < 0) throw nb::value_error("a record begins before the bytes");
  Records found;
  {
    nb::gil_scoped_release release;
    found = find_records({bytes.data(), bytes.shape(0)}, at);
  }
  return nb::make_tuple(taken(std::move(found.kind)), taken(std::move(found.begin)), taken(std::move(found.end)),
                        found.next);
}

// Whether `bounds` rise from 0 to `last`, so that each is a place in what they divide.
bool divide(std::span<const std::int64_t> bounds, std::size_t last) {
  return !bounds.empty() && bounds.front() == 0 && bounds.back() == static_cast<std::int64_t>(last) &&
         std::is_sorted(bounds.begin(), bounds.end());
}

bool within(std::span<const std::int64_t> values, std::int64_t least, std::size_t below) {
  return std::all_of(values.begin(), values.end(), [=](std::int64_t value) {
    return value >= least && value < static_cast<std::int64_t>(below);
  });
}

void check(const IntervalRecords& records) {
  const std::size_t n = records.begin.size();
  if (records.end.size() != n || records.length.size() != n) throw nb::value_error("columns differ in length");
  for (std::size_t i = 0; i < n; ++i)
    if (records.begin[i] < 0 || records.begin[i] > records.end[i] ||
        records.end[i] > static_cast<std::int64_t>(records.bytes.size()))
      throw nb::value_error("a payload lies outside the bytes");
  if (!divide(records.group, n)) throw nb::value_error("rows are not groups of records");
}

void make(RecordedBlocks* made, Ints row_of_id, Ints first, Ints column, Ints instructions, std::size_t columns) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const std::size_t segments = column.shape(0);
  if (!divide(span(first), segments) || instructions.shape(0) != segments)
    throw nb::value_error("blocks are not groups of segments");
  if (!within(span(row_of_id), -1, first.shape(0) - 1)) throw nb::value_error("an id is of no block");
  if (columns > most || segments > most || !within(span(column), 0, columns))
    throw nb::value_error("a segment is of no canonical block");
  const auto sizes = span(instructions);
  std::size_t sum = 0;
  for (const std::int64_t size : sizes) {
    if (size < 1 || static_cast<std::size_t>(size) > most - sum) throw nb::value_error("segments of impossible size");
    sum += static_cast<std::size_t>(size);
  }
  new (made) RecordedBlocks(span(row_of_id), span(first), span(column), sizes, columns);
}

nb::tuple rows(Bytes bytes, Ints begin, Ints end, Ints length, Ints group, const RecordedBlocks& blocks) {
  const IntervalRecords from{{bytes.data(), bytes.shape(0)}, span(begin), span(end), span(length), span(group)};
  check(from);
  IntervalRows read;
  {
    nb::gil_scoped_release release;
    read = interval_rows(from, blocks);
  }
  return nb::make_tuple(taken(std::move(read.rows.indptr)), taken(std::move(read.rows.indices)),
                        taken(std::move(read.rows.data)), read.bad);
}

}  // namespace

void bind_streams(nb::module_& m) {
  m.def("find_records", &records, nb::arg("bytes"), nb::arg("at"));
  nb::class_<RecordedBlocks>(m, "RecordedBlocks")
      .def("__init__", &make, nb::arg("row_of_id"), nb::arg("first"), nb::arg("column"), nb::arg("instructions"),
           nb::arg("columns"));
  m.def("interval_rows", &rows, nb::arg("bytes"), nb::arg("begin"), nb::arg("end"), nb::arg("length"),
        nb::arg("group"), nb::arg("blocks"));
}

}  // namespace phasemark
