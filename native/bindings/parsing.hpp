// What the readers of basic block vectors in text have in common, whatever becomes of the rows.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/vector_rows.hpp"
#include "vectors/vector_scanner.hpp"

namespace phasemark {

namespace nb = nanobind;

nb::tuple as_tuple(const VectorError& e);
nb::dict as_dict(const VectorLayout& l);
nb::list as_list(const std::vector<VectorNote>& notes);

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

}  // namespace phasemark
