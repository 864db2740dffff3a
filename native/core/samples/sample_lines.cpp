#include "samples/sample_lines.hpp"

#include <algorithm>

namespace phasemark {

namespace {

// So many digits that no number of them is too large.
constexpr int kThread = 9, kSeconds = 9, kFraction = 9, kPeriod = 15, kAddress = 16;

class Line {
 public:
  explicit Line(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool blanks(bool needed) {
    const char* const first = at_;
    while (at_ < end_ && *at_ == ' ') ++at_;
    return at_ > first || !needed;
  }

  bool sign(char wanted) { return at_ < end_ && *at_++ == wanted; }

  // The number of 1 to `most` digits; `digits` says how many there are.
  bool number(int most, std::int64_t& value, int& digits) {
    value = 0;
    for (digits = 0; at_ < end_ && *at_ >= '0' && *at_ <= '9'; ++digits, ++at_) {
      if (digits == most) return false;
      value = 10 * value + (*at_ - '0');
    }
    return digits > 0;
  }

  bool number(int most, std::int64_t& value) {
    int digits;
    return number(most, value, digits);
  }

  // The address of hexadecimal digits that end the line.
  bool address(std::uint64_t& value) {
    value = 0;
    const char* const first = at_;
    for (; at_ < end_; ++at_) {
      const int digit = *at_ >= '0' && *at_ <= '9' ? *at_ - '0' : *at_ >= 'a' && *at_ <= 'f' ? *at_ - 'a' + 10 : -1;
      if (digit < 0) return false;
      value = value << 4 | static_cast<std::uint64_t>(digit);
    }
    return at_ > first && at_ - first <= kAddress;
  }

  // A word that a colon ends, without it.
  bool name(std::string_view& value) {
    const char* const first = at_;
    while (at_ < end_ && *at_ != ' ') ++at_;
    if (at_ - first < 2 || at_[-1] != ':') return false;
    value = {first, static_cast<std::size_t>(at_ - first - 1)};
    return true;
  }

 private:
  const char* at_;
  const char* end_;
};

struct Sample {
  std::int64_t pid, tid, seconds, fraction, period;
  int digits;
  std::string_view name;
  std::uint64_t ip;
};

bool sample(std::string_view text, Sample& out) {
  Line line(text);
  return line.blanks(false) && line.number(kThread, out.pid) && line.sign('/') && line.number(kThread, out.tid) &&
         line.blanks(true) && line.number(kSeconds, out.seconds) && line.sign('.') &&
         line.number(kFraction, out.fraction, out.digits) && line.sign(':') && line.blanks(true) &&
         line.number(kPeriod, out.period) && line.blanks(true) && line.name(out.name) && line.blanks(true) &&
         line.address(out.ip);
}

std::int32_t number_of(std::string_view name, std::vector<std::string_view>& names) {
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  if (at == std::ssize(names)) names.push_back(name);
  return static_cast<std::int32_t>(at);
}

}  // namespace

SampleLines sample_lines(std::string_view text) {
  SampleLines out;
  Sample one;
  for (std::size_t end; (end = text.find('\n', out.read)) != std::string_view::npos; out.read = end + 1) {
    if (!sample(text.substr(out.read, end - out.read), one)) break;
    for (; one.digits < kFraction; ++one.digits) one.fraction *= 10;
    out.pid.push_back(static_cast<std::int32_t>(one.pid));
    out.tid.push_back(static_cast<std::int32_t>(one.tid));
    out.time.push_back(one.seconds * 1'000'000'000 + one.fraction);
    out.period.push_back(one.period);
    out.ip.push_back(one.ip);
    out.name.push_back(number_of(one.name, out.names));
  }
  return out;
}

}  // namespace phasemark
