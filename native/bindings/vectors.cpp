#include "arrays.hpp"
#include "bindings.hpp"
#include "parsing.hpp"
#include "vectors/vector_rows.hpp"

namespace phasemark {

namespace {

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

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

namespace {

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
    for (const auto& place : sink_.places) out[nb::int_(place.id)] = nb::str(place.text.c_str(), place.text.size());
    return out;
  }
};

}  // namespace

void bind_vectors(nb::module_& m) {
  bind_parser<VectorParser>(m, "VectorParser").def(nb::init<>()).def("places", &VectorParser::places);
}

}  // namespace phasemark
