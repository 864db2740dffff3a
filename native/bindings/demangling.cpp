#include "demangling/demangle.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "bindings.hpp"

namespace phasemark {

void bind_demangling(nb::module_& m) {
  m.def(
      "demangled",
      [](const std::string& mangled, std::size_t most) {
        const std::string text = demangled(mangled, most);
        return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
      },
      nb::arg("mangled"), nb::arg("most"));
}

}  // namespace phasemark
