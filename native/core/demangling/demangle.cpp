#include "demangling/demangle.hpp"

#ifdef PHASEMARK_DEMANGLES_IN_PIECES

// What __cxa_demangle is made of, in GCC's own library since GCC 4.4. It hands over the name piece by piece, so that
// a name which does not end can be left.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled, void (*piece)(const char*, std::size_t, void*),
                                             void* whole);

namespace phasemark {

namespace {

struct Whole {
  std::string text;
  std::size_t most;
};

struct TooLong {};

void append(const char* piece, std::size_t size, void* to) {
  auto& whole = *static_cast<Whole*>(to);
  if (whole.text.size() + size > whole.most) throw TooLong{};
  whole.text.append(piece, size);
}

}  // namespace

std::string demangled(const std::string& mangled, std::size_t most) {
  Whole whole{{}, most};
  try {
    if (__gcclibcxx_demangle_callback(mangled.c_str(), append, &whole) == 0) return whole.text;
  } catch (const TooLong&) {
  }
  return {};
}

}  // namespace phasemark

#else

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace phasemark {

std::string demangled(const std::string& mangled, std::size_t most) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  if (status != 0 || !text) return {};
  std::string whole(text.get());
  return whole.size() > most ? std::string{} : whole;
}

}  // namespace phasemark

#endif
