#include "samples/sample_lines.hpp"

#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

nb::tuple lines(nb::bytes text, std::size_t begin) {
  if (begin > text.size()) throw nb::value_error("the text ends before");
  SampleLines read;
  {
    nb::gil_scoped_release release;
    read = sample_lines({text.c_str() + begin, text.size() - begin});
  }
  nb::list names;
  for (const auto name : read.names) names.append(nb::bytes(name.data(), name.size()));
  return nb::make_tuple(begin + read.read, taken(std::move(read.pid)), taken(std::move(read.tid)), taken(std::move(read.time)),
                        taken(std::move(read.period)), taken(std::move(read.ip)), taken(std::move(read.name)), names);
}

}  // namespace

void bind_samples(nb::module_& m) { m.def("sample_lines", &lines, nb::arg("text"), nb::arg("begin") = 0); }

}  // namespace phasemark
