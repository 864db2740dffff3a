#include "events/events.hpp"

#include <optional>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

nb::object decode(In<std::uint8_t, nb::ndim<1>> packed, std::size_t size, std::size_t count, std::int64_t start,
                  std::int64_t end) {
  std::optional<Events> found;
  {
    nb::gil_scoped_release release;
    found = decode_events({packed.data(), packed.shape(0)}, size, count, start, end);
  }
  if (!found) return nb::none();
  return nb::make_tuple(taken(std::move(found->site)), taken(std::move(found->repeats)),
                        taken(std::move(found->position)));
}

}  // namespace

void bind_events(nb::module_& m) {
  m.def("decode_events", &decode, nb::arg("packed"), nb::arg("size"), nb::arg("count"), nb::arg("start"),
        nb::arg("end"));
}

}  // namespace phasemark
