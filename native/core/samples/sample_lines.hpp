// Samples as `perf script -F pid,tid,time,period,event,ip` prints them, one a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace phasemark {

struct SampleLines {
  std::size_t read = 0;  // bytes, up to the end of the last line that was read
  std::vector<std::int32_t> pid, tid, name;
  std::vector<std::int64_t> time, period;  // nanoseconds; in units of the event
  std::vector<std::uint64_t> ip;
  std::vector<std::string_view> names;  // of the events, in the order in which they come
};

// Reads lines ` pid/tid seconds.fraction: period event: ip` up to the first that is another, or has no end.
// `name` says which of `names` each is; these are views of `text`.
SampleLines sample_lines(std::string_view text);

}  // namespace phasemark
