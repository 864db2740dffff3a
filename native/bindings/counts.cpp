#include <algorithm>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "counts/gathered.hpp"

namespace phasemark {

namespace {

template <class T>
bool below(const In<T, nb::ndim<1>>& values, std::size_t bound) {
  return std::all_of(values.data(), values.data() + values.shape(0),
                     [=](T value) { return value >= 0 && static_cast<std::size_t>(value) < bound; });
}

nb::tuple gather(In<std::int64_t, nb::ndim<1>> indptr, In<std::int32_t, nb::ndim<1>> indices,
                 In<std::int64_t, nb::ndim<1>> data, In<std::int64_t, nb::ndim<1>> group, std::size_t groups,
                 In<std::int32_t, nb::ndim<1>> place, std::size_t places) {
  const std::size_t rows = group.shape(0), n = indices.shape(0);
  const std::int64_t* pointers = indptr.data();
  if (indptr.shape(0) != rows + 1 || data.shape(0) != n || pointers[0] != 0 ||
      pointers[rows] != static_cast<std::int64_t>(n) || !std::is_sorted(pointers, pointers + rows + 1))
    throw nb::value_error("no sparse matrix with a group for each row");
  if (!below(group, groups) || !below(place, places) || !below(indices, place.shape(0)))
    throw nb::value_error("a group, a place or a column is not there");
  SparseRows sums;
  {
    nb::gil_scoped_release release;
    sums = gathered({pointers, rows + 1}, {indices.data(), n}, {data.data(), n}, {group.data(), rows}, groups,
                    {place.data(), place.shape(0)}, places);
  }
  return nb::make_tuple(taken(std::move(sums.indptr)), taken(std::move(sums.indices)), taken(std::move(sums.data)));
}

}  // namespace

void bind_counts(nb::module_& m) {
  m.def("gathered", &gather, nb::arg("indptr"), nb::arg("indices"), nb::arg("data"), nb::arg("group"),
        nb::arg("groups"), nb::arg("place"), nb::arg("places"));
}

}  // namespace phasemark
