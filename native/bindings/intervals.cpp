#include "arrays.hpp"
#include "bindings.hpp"
#include "intervals/interval_ends.hpp"

namespace phasemark {

namespace {

nb::tuple ends(In<std::int64_t, nb::ndim<1>> lengths, std::int64_t block) {
  const IntervalEnds e = interval_ends({lengths.data(), lengths.shape(0)}, block);
  return nb::make_tuple(e.n, e.shortest, e.longest, e.latest, e.earliest, e.overflow, e.total);
}

}  // namespace

void bind_intervals(nb::module_& m) { m.def("interval_ends", &ends, nb::arg("lengths"), nb::arg("block")); }

}  // namespace phasemark
