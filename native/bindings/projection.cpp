#include "core/projection.hpp"

#include "bindings.hpp"

namespace phasemark {

namespace {

Out<double> rows(In<std::uint64_t, nb::ndim<1>> keys, std::uint64_t seed, int dims) {
  const std::size_t n = keys.shape(0);
  auto out = std::make_unique<double[]>(n * static_cast<std::size_t>(dims));
  {
    nb::gil_scoped_release release;
    projection_rows({keys.data(), n}, seed, dims, out.get());
  }
  return own(std::move(out), {n, static_cast<std::size_t>(dims)});
}

}  // namespace

void bind_projection(nb::module_& m) {
  m.def("projection_rows", &rows, nb::arg("keys"), nb::arg("seed"), nb::arg("dims"));
}

}  // namespace phasemark
