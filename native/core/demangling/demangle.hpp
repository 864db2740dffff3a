#pragma once

#include <cstddef>
#include <string>

namespace phasemark {

// The name that the C++ compiler mangled (Itanium C++ ABI, section 5.1), as `c++filt --no-verbose` has it: with
// parameters, and with [clone .cold] behind one of a function's parts. Empty where `mangled` is no such name, or
// where it stands for more than `most` bytes: few letters that refer to one another may stand for very many.
std::string demangled(const std::string& mangled, std::size_t most);

}  // namespace phasemark
