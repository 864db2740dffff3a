#include <nanobind/stl/string.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "bindings.hpp"
#include "core/projected_rows.hpp"
#include "core/vector_file.hpp"
#include "core/vector_rows.hpp"
#include "core/vectors.hpp"

namespace phasemark {

namespace {

// A view that needs no NumPy: importing it takes longer than clustering a small file.
template <class T>
using View = nb::ndarray<nb::memview, T>;

// A new array that takes over `values`.
template <class Array, class T>
Array taken_as(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(kept->data(), shape, owner);
}

template <class T>
View<T> viewed(std::vector<T> values) {
  const std::size_t n = values.size();
  return taken_as<View<T>>(std::move(values), {n});
}

template <class T>
Out<T> taken(std::vector<T> values) {
  const std::size_t n = values.size();
  return taken_as<Out<T>>(std::move(values), {n});
}

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

nb::tuple as_tuple(const VectorError& e) {
  return nb::make_tuple(static_cast<int>(e.fault), e.line, e.column, as_bytes(e.excerpt));
}

nb::dict as_dict(const VectorLayout& l) {
  nb::dict out;
  out["rows"] = l.rows;
  out["filled_rows"] = l.filled_rows;
  out["rows_with_blank_t"] = l.rows_with_blank_t;
  out["rows_ending_blank"] = l.rows_ending_blank;
  out["rows_not_ascending"] = l.rows_not_ascending;
  out["repeated_entries"] = l.repeated_entries;
  out["narrowest_gap"] = l.narrowest_gap;
  out["widest_gap"] = l.widest_gap;
  out["fields"] = l.fields;
  return out;
}

nb::list as_list(const std::vector<VectorNote>& notes) {
  nb::list out;
  for (const VectorNote& note : notes) out.append(nb::make_tuple(note.line, as_bytes(note.text)));
  return out;
}

// A stream of text into a sink.
template <class Sink>
class Parser {
 public:
  template <class... Arguments>
  explicit Parser(Arguments... arguments) : sink_(arguments...) {}
  Parser(const Parser&) = delete;

  bool feed(const nb::bytes& chunk) {
    const std::string_view view(chunk.c_str(), chunk.size());
    nb::gil_scoped_release release;
    return scanner_.feed(view);
  }

  bool finish() {
    nb::gil_scoped_release release;
    return scanner_.finish();
  }

  std::uint64_t line() const { return scanner_.line(); }
  nb::tuple error() const { return as_tuple(scanner_.error()); }
  nb::dict layout() const { return as_dict(scanner_.layout()); }
  nb::list notes() const { return as_list(sink_.notes); }

 protected:
  Sink sink_;
  VectorScanner scanner_{sink_};
};

class VectorParser : public Parser<VectorRows> {
 public:
  nb::tuple rows() {
    VectorRows::Blocks blocks;
    {
      nb::gil_scoped_release release;
      blocks = sink_.blocks();
    }
    return nb::make_tuple(taken(std::move(sink_.starts)), taken(std::move(blocks.columns)),
                          taken(std::move(sink_.counts)), taken(std::move(sink_.lengths)), taken(std::move(sink_.sizes)),
                          taken(std::move(blocks.ids)), taken(std::move(blocks.first)));
  }

  nb::dict places() const {
    nb::dict out;
    for (const auto& place : sink_.places) {
      const nb::int_ id(place.id);
      if (!out.contains(id)) out[id] = nb::str(place.text.c_str(), place.text.size());
    }
    return out;
  }
};

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
      file_.read(file, size, seed_, dims_, threads, part, [] {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return true;
      });
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

template <class P>
nb::class_<P> bind_parser(nb::module_& m, const char* name) {
  return nb::class_<P>(m, name)
      .def("feed", &P::feed, nb::arg("chunk"))
      .def("finish", &P::finish)
      .def_prop_ro("line", &P::line)
      .def("error", &P::error)
      .def("layout", &P::layout)
      .def("notes", &P::notes)
      .def("rows", &P::rows);
}

}  // namespace

void bind_vectors(nb::module_& m) {
  bind_parser<VectorParser>(m, "VectorParser").def(nb::init<>()).def("places", &VectorParser::places);
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
