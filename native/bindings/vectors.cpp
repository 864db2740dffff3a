#include "core/vectors.hpp"

#include <nanobind/stl/string.h>

#include <cstring>

#include "bindings.hpp"

namespace phasemark {

namespace {

template <class T>
Out<T> copied(const std::vector<T>& values) {
  auto data = std::make_unique<T[]>(values.size());
  if (!values.empty()) std::memcpy(data.get(), values.data(), values.size() * sizeof(T));
  return own(std::move(data), {values.size()});
}

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

class VectorParser {
 public:
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

  nb::tuple error() const {
    const VectorError& e = scanner_.error();
    return nb::make_tuple(static_cast<int>(e.fault), e.line, e.column, as_bytes(e.excerpt));
  }

  nb::dict layout() const {
    const VectorLayout& l = scanner_.layout();
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

  nb::tuple rows() const {
    std::vector<std::uint64_t> blocks;
    std::vector<std::int32_t> columns;
    {
      nb::gil_scoped_release release;
      rows_.index_blocks(blocks, columns);
    }
    return nb::make_tuple(copied(rows_.starts), copied(columns), copied(rows_.counts), copied(blocks));
  }

  nb::list notes() const {
    nb::list out;
    for (const auto& note : rows_.notes) out.append(nb::make_tuple(note.line, as_bytes(note.text)));
    return out;
  }

  nb::dict places() const {
    nb::dict out;
    for (const auto& place : rows_.places) {
      const nb::int_ id(place.id);
      if (!out.contains(id)) out[id] = nb::str(place.text.c_str(), place.text.size());
    }
    return out;
  }

 private:
  VectorRows rows_;
  VectorScanner<VectorRows> scanner_{rows_};
};

}  // namespace

void bind_vectors(nb::module_& m) {
  nb::class_<VectorParser>(m, "VectorParser")
      .def(nb::init<>())
      .def("feed", &VectorParser::feed, nb::arg("chunk"))
      .def("finish", &VectorParser::finish)
      .def_prop_ro("line", &VectorParser::line)
      .def("error", &VectorParser::error)
      .def("layout", &VectorParser::layout)
      .def("rows", &VectorParser::rows)
      .def("notes", &VectorParser::notes)
      .def("places", &VectorParser::places);
}

}  // namespace phasemark
