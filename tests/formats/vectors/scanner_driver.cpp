// Reads vectors from standard input, so many bytes at a time; writes the rows, or what is wrong.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <iostream>
#include <memory>
#include <string>

#include "vectors/vector_scanner.hpp"

namespace {

class Printed final : public phasemark::VectorSink {
 public:
  phasemark::VectorRow::Oddities row(phasemark::VectorRow& row) override {
    const auto found = row.tidy();
    for (const auto& entry : row.entries()) std::printf("%lu:%ld ", entry.id, entry.count);
    std::puts("");
    return found;
  }
  void place(std::uint64_t, std::string_view) override {}
  void note(std::uint64_t, std::string_view) override {}
};

}  // namespace

int main(int, char** arguments) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const std::size_t cut = std::strtoul(arguments[1], nullptr, 10);
  Printed sink;
  phasemark::VectorScanner scanner(sink);
  bool good = true;
  for (std::size_t at = 0; good && at < text.size(); at += cut) {
    // Of its own, so that a look at the byte behind it is found out.
    const std::size_t size = std::min(cut, text.size() - at);
    const auto piece = std::make_unique<char[]>(size);
    std::memcpy(piece.get(), text.data() + at, size);
    good = scanner.feed({piece.get(), size});
  }
  if (!good || !scanner.finish()) std::printf("fault %lu\n", scanner.error().line);
}
