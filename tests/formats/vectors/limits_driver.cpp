// `rows LINE N`: reads N equal lines and keeps nothing; writes the line and the kind of the fault.
// `blocks MASK FACTOR ID...`: numbers ids by a table with this secret; writes number and id in the order of ids.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "vectors/block_table.hpp"
#include "vectors/vector_scanner.hpp"

namespace {

class Nothing final : public phasemark::VectorSink {
 public:
  phasemark::VectorRow::Oddities row(phasemark::VectorRow&) override { return {}; }
  void place(std::uint64_t, std::string_view) override {}
  void note(std::uint64_t, std::string_view) override {}
};

int rows(std::string line, std::uint64_t n) {
  constexpr std::uint64_t kAtOnce = 1024;
  line += '\n';
  std::string block;
  for (std::uint64_t i = 0; i < kAtOnce; ++i) block += line;
  Nothing sink;
  phasemark::VectorScanner scanner(sink);
  bool good = true;
  for (; good && n >= kAtOnce; n -= kAtOnce) good = scanner.feed(block);
  for (; good && n > 0; --n) good = scanner.feed(line);
  good = good && scanner.finish();
  std::printf("%lu %d\n", good ? 0 : scanner.error().line, static_cast<int>(scanner.error().fault));
  return 0;
}

int blocks(char** arguments, int n) {
  const auto number = [&](int i) { return static_cast<std::uint64_t>(std::strtoull(arguments[i], nullptr, 0)); };
  phasemark::BlockTable table({number(0), number(1)});
  for (int round = 0; round < 2; ++round) {
    for (int i = 2; i < n; ++i) table.slot(number(i), i);
  }
  const auto sorted = table.sorted();
  for (std::size_t i = 0; i < sorted.ids.size(); ++i) std::printf("%lu:%ld ", sorted.ids[i], sorted.first[i]);
  for (const std::int32_t rank : sorted.rank) std::printf("%d ", rank);
  std::puts("");
  return 0;
}

}  // namespace

int main(int n, char** arguments) {
  if (std::string_view(arguments[1]) == "rows") return rows(arguments[2], std::strtoull(arguments[3], nullptr, 0));
  return blocks(arguments + 2, n - 2);
}
