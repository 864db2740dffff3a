#include "numbers/varint.hpp"

#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

nb::tuple decode(In<std::uint8_t, nb::ndim<1>> bytes, In<std::int64_t, nb::ndim<1>> begin,
                 In<std::int64_t, nb::ndim<1>> end, std::size_t most) {
  if (begin.shape(0) != end.shape(0)) throw nb::value_error("begin and end differ in length");
  for (std::size_t i = 0; i < begin.shape(0); ++i)
    if (begin(i) < 0 || begin(i) > end(i) || end(i) > static_cast<std::int64_t>(bytes.shape(0)))
      throw nb::value_error("a payload lies outside the bytes");
  Varints read;
  {
    nb::gil_scoped_release release;
    read = decode_varints({bytes.data(), bytes.shape(0)}, {begin.data(), begin.shape(0)},
                          {end.data(), end.shape(0)}, most);
  }
  return nb::make_tuple(taken(std::move(read.values)), taken(std::move(read.first)), taken(std::move(read.stop)),
                        read.bad);
}

}  // namespace

void bind_numbers(nb::module_& m) {
  m.def("decode_varints", &decode, nb::arg("bytes"), nb::arg("begin"), nb::arg("end"), nb::arg("most") = 0);
}

}  // namespace phasemark
