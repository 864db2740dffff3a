#include "core/projection.hpp"

#include "bindings.hpp"

namespace phasemark {

namespace {

Out<double> project_counts(In<std::int64_t, nb::ndim<1>> indptr, In<std::int32_t, nb::ndim<1>> indices,
                           In<std::int64_t, nb::ndim<1>> data, In<std::uint64_t, nb::ndim<1>> keys,
                           std::uint64_t seed, int dims, int threads) {
  const std::size_t rows = indptr.shape(0) - 1;
  const auto width = static_cast<std::size_t>(dims);
  auto out = std::make_unique<double[]>(rows * width);
  {
    nb::gil_scoped_release release;
    const SparseCounts counts{{indptr.data(), rows + 1},
                              {indices.data(), indices.shape(0)},
                              {data.data(), data.shape(0)}};
    project(counts, {keys.data(), keys.shape(0)}, seed, dims, threads, out.get());
  }
  return own(std::move(out), {rows, width});
}

Out<float> rows(In<std::uint64_t, nb::ndim<1>> keys, std::uint64_t seed, int dims) {
  const std::size_t n = keys.shape(0);
  auto out = std::make_unique<float[]>(n * static_cast<std::size_t>(dims));
  projection_rows({keys.data(), n}, seed, dims, out.get());
  return own(std::move(out), {n, static_cast<std::size_t>(dims)});
}

}  // namespace

void bind_projection(nb::module_& m) {
  m.def("project", &project_counts, nb::arg("indptr"), nb::arg("indices"), nb::arg("data"), nb::arg("keys"),
        nb::arg("seed"), nb::arg("dims"), nb::arg("threads"));
  m.def("projection_rows", &rows, nb::arg("keys"), nb::arg("seed"), nb::arg("dims"));
}

}  // namespace phasemark
