#include "projection/projected_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "threads/parallel.hpp"

namespace phasemark {

namespace {

// Small enough for the processor's cache, large enough that system calls do not count.
constexpr std::size_t kBuffer = std::size_t{1} << 18;
// A part is long enough for its table of blocks to pay, and short enough for Ctrl-C.
constexpr std::uint64_t kShortestPart = std::uint64_t{1} << 22, kLongestPart = std::uint64_t{1} << 26;
constexpr std::uint64_t kPartsPerThread = 4;

// Some bytes from `offset` on; none at the end of the file.
std::string_view read_at(int file, std::uint64_t offset, std::uint64_t most, std::vector<char>& buffer) {
  while (true) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, buffer.size()));
    const ssize_t got = pread(file, buffer.data(), size, static_cast<off_t>(offset));
    if (got >= 0) return {buffer.data(), static_cast<std::size_t>(got)};
    if (errno != EINTR) throw std::system_error(errno, std::generic_category());
  }
}

// Where the line that holds the byte before `offset` ends.
std::uint64_t line_end(int file, std::uint64_t offset, std::uint64_t size) {
  std::vector<char> buffer(1 << 14);
  for (std::uint64_t at = offset - 1; at < size;) {
    const std::string_view bytes = read_at(file, at, size - at, buffer);
    if (bytes.empty()) break;
    const std::size_t found = bytes.find('\n');
    if (found != std::string_view::npos) return at + found + 1;
    at += bytes.size();
  }
  return size;
}

std::uint64_t usual_part(std::uint64_t size, int threads) {
  const std::uint64_t wanted = size / (kPartsPerThread * static_cast<std::uint64_t>(std::max(threads, 1)));
  return std::clamp(wanted, kShortestPart, kLongestPart);
}

std::vector<std::uint64_t> part_ends(int file, std::uint64_t size, std::uint64_t part) {
  std::vector<std::uint64_t> ends{0};
  while (ends.back() < size) {
    const std::uint64_t next = ends.back() + part;
    ends.push_back(next < size ? line_end(file, next, size) : size);
  }
  return ends;
}

// What all parts keep together, so that they stop where it is too much, and not each by itself.
class Kept {
 public:
  // Whether there is room for what a part keeps, once it counts for `more` in place of `less`.
  bool grow(const VectorSizes& more, const VectorSizes& less) noexcept {
    const VectorSizes all{add(rows_, more.rows - less.rows), add(empty_rows_, more.empty_rows - less.empty_rows),
                          add(notes_, more.notes - less.notes), add(note_bytes_, more.note_bytes - less.note_bytes)};
    return all.fault() == VectorFault::none;
  }

 private:
  using Count = std::atomic<std::uint64_t>;
  static std::uint64_t add(Count& count, std::uint64_t more) noexcept {
    return count.fetch_add(more, std::memory_order_relaxed) + more;
  }

  Count rows_{0}, empty_rows_{0}, notes_{0}, note_bytes_{0};
};

// Lines from one offset to another.
class Part {
 public:
  Part(std::uint64_t seed, int dims) : rows_(seed, dims) {}

  void scan(int file, std::uint64_t from, std::uint64_t to, Kept& kept) {
    std::vector<char> buffer(kBuffer);
    bool fed = true;
    while (from < to && fed) {
      const std::string_view bytes = read_at(file, from, to - from, buffer);
      if (bytes.empty()) break;
      const VectorSizes before = scanner_.sizes();
      fed = scanner_.feed(bytes) && kept.grow(scanner_.sizes(), before);
      from += bytes.size();
    }
    const VectorSizes before = scanner_.sizes();
    good_ = fed && scanner_.finish() && kept.grow(scanner_.sizes(), before);
    rows_.release();
  }

  // Adds the lines to those before them; false where that shows a fault.
  bool append_to(ProjectedFile& file) {
    if (!good_ || !file.layout.append(scanner_.layout())) return false;
    file.rows.append(std::move(rows_), file.lines);
    file.lines += scanner_.line();
    return true;
  }

  std::size_t rows() const noexcept { return rows_.lengths.size(); }
  const VectorError& error() const noexcept { return scanner_.error(); }

 private:
  ProjectedRows rows_;
  VectorScanner scanner_{rows_};
  bool good_ = false;
};

}  // namespace

bool ProjectedFile::read(int file, std::uint64_t size, std::uint64_t seed, int dims, int threads,
                         std::uint64_t part, const std::function<bool()>& tick) {
  const std::vector<std::uint64_t> ends = part_ends(file, size, part != 0 ? part : usual_part(size, threads));
  std::deque<Part> parts;
  while (parts.size() + 1 < ends.size()) parts.emplace_back(seed, dims);
  Kept kept;
  const auto scan = [&](std::size_t i) { parts[i].scan(file, ends[i], ends[i + 1], kept); };
  if (!parallel_for(parts.size(), threads, scan, tick)) return false;
  if (parts.size() > 1) {
    std::size_t all = 0;
    for (const Part& each : parts) all += each.rows();
    rows.reserve(all);
  }
  for (; !parts.empty(); parts.pop_front()) {
    if (parts.front().append_to(*this)) continue;
    parts.clear();
    read_in_one(file, size, seed, dims);
    break;
  }
  return true;
}

// What is wrong with a line can depend on those before it: whether entries have two fields or four.
void ProjectedFile::read_in_one(int file, std::uint64_t size, std::uint64_t seed, int dims) {
  *this = ProjectedFile(seed, dims);
  Kept kept;
  Part all(seed, dims);
  all.scan(file, 0, size, kept);
  if (!all.append_to(*this)) error = all.error();
}

}  // namespace phasemark
