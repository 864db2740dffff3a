#include "projection/projection.hpp"

#include <cerrno>
#include <system_error>

#include "arrays.hpp"
#include "bindings.hpp"
#include "parsing.hpp"
#include "projection/projected_file.hpp"
#include "projection/projected_rows.hpp"

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

nb::tuple projected(ProjectedRows& rows, int dims) {
  BlockTable::Sorted blocks = rows.blocks().sorted();
  const std::size_t n = rows.lengths.size();
  return nb::make_tuple(taken_as<View<double>>(std::move(rows.matrix), {n, static_cast<std::size_t>(dims)}),
                        viewed(std::move(rows.lengths)), viewed(std::move(rows.sizes)),
                        viewed(std::move(blocks.ids)), viewed(std::move(blocks.first)));
}

class VectorProjector : public Parser<ProjectedRows> {
 public:
  VectorProjector(std::uint64_t seed, int dims) : Parser(seed, dims), dims_(dims) {}

  nb::tuple rows() { return projected(sink_, dims_); }

 private:
  int dims_;
};

class FileProjector {
 public:
  FileProjector(std::uint64_t seed, int dims) : seed_(seed), dims_(dims), file_(seed, dims) {}

  bool read(int file, std::uint64_t size, int threads, std::uint64_t part) {
    try {
      nb::gil_scoped_release release;
      file_.read(file, size, seed_, dims_, threads, part, see_signals);
    } catch (const std::system_error& error) {
      errno = error.code().value();
      PyErr_SetFromErrno(PyExc_OSError);
      throw nb::python_error();
    }
    return file_.error.fault == VectorFault::none;
  }

  nb::tuple error() const { return as_tuple(file_.error); }
  nb::dict layout() const { return as_dict(file_.layout); }
  nb::list notes() const { return as_list(file_.rows.notes); }
  nb::tuple rows() { return projected(file_.rows, dims_); }

 private:
  std::uint64_t seed_;
  int dims_;
  ProjectedFile file_;
};

}  // namespace

void bind_projection(nb::module_& m) {
  m.def("project", &project_counts, nb::arg("indptr"), nb::arg("indices"), nb::arg("data"), nb::arg("keys"),
        nb::arg("seed"), nb::arg("dims"), nb::arg("threads"));
  m.def("projection_rows", &rows, nb::arg("keys"), nb::arg("seed"), nb::arg("dims"));
  bind_parser<VectorProjector>(m, "VectorProjector")
      .def(nb::init<std::uint64_t, int>(), nb::arg("seed"), nb::arg("dims"));
  nb::class_<FileProjector>(m, "FileProjector")
      .def(nb::init<std::uint64_t, int>(), nb::arg("seed"), nb::arg("dims"))
      .def("read", &FileProjector::read, nb::arg("file"), nb::arg("size"), nb::arg("threads"),
           nb::arg("part") = 0)
      .def("error", &FileProjector::error)
      .def("layout", &FileProjector::layout)
      .def("notes", &FileProjector::notes)
      .def("rows", &FileProjector::rows);
}

}  // namespace phasemark
