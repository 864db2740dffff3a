#include "multinomial/durations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "multinomial/logs.hpp"
#include "numbers/wide.hpp"

namespace phasemark {

namespace {

// Ages of so small a share of a state do not matter, and slow arithmetic down.
constexpr double kNothing = 1e-290;

// A share of all that is not looked at when a change is foretold.
constexpr double kUnlikely = 1e-9;

// Four sums side by side, since the compiler may not reorder one.
PHASEMARK_WIDE double dot(const double* a, const double* b, std::size_t n) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

// One row on in a state: who stays is a row older, who enters is new. `old` and `now` do not overlap.
PHASEMARK_WIDE void grow_older(const double* old, const double* staying, double share, double entered, std::size_t n,
                               double* now) {
  now[0] = entered;
  for (std::size_t age = 1; age < n; ++age) {
    const double kept = old[age - 1] * staying[age - 1] * share;
    now[age] = kept < kNothing ? 0.0 : kept;
  }
  now[n - 1] += old[n - 1] * staying[n - 1] * share;
}

// One row back: what is to come after each age, of who stays and of who leaves.
PHASEMARK_WIDE void look_ahead(const double* later, const double* staying, const double* leaving, double stay,
                               double leave, std::size_t n, double* now) {
  for (std::size_t age = 0; age + 1 < n; ++age) now[age] = staying[age] * later[age + 1] * stay + leaving[age] * leave;
  now[n - 1] = staying[n - 1] * later[n - 1] * stay + leaving[n - 1] * leave;
}

PHASEMARK_WIDE void count_stays(const double* ages, const double* staying, const double* later, double scale,
                                std::size_t n, double* out) {
  for (std::size_t age = 0; age + 1 < n; ++age) out[age] += scale * ages[age] * staying[age] * later[age + 1];
  out[n - 1] += scale * ages[n - 1] * staying[n - 1] * later[n - 1];
}

PHASEMARK_WIDE void count_leaves(const double* ages, const double* leaving, double scale, std::size_t n, double* out) {
  for (std::size_t age = 0; age < n; ++age) out[age] += scale * ages[age] * leaving[age];
}

// What is known of a row from those up to it: the logarithm of each state's share, and within a state the share of each
// age. All ages of a state see the same evidence, so that shares of ages never underflow where those of states would.
struct Known {
  std::vector<double> states;  // logarithms that sum to 1
  std::vector<double> ages;    // states x longest, each state's sum to 1
};

class Lasting {
 public:
  explicit Lasting(const Chain& chain)
      : n_(chain.states),
        longest_(chain.longest),
        width_(padded_states(n_)),
        start_(logs_of(chain.start)),
        moves_(logs_of(chain.moves)),
        leaving_(chain.leaving),
        staying_(leaving_.size()),
        forward_(transposed(chain.moves, n_), n_),
        backward_(chain.moves, n_),
        left_(n_),
        entered_(n_) {
    std::transform(leaving_.begin(), leaving_.end(), staying_.begin(), [](double p) { return 1 - p; });
  }

  std::size_t states() const { return n_; }
  std::size_t longest() const { return longest_; }
  std::size_t width() const { return width_; }

  Known begun() const {
    Known out{start_, std::vector<double>(n_ * longest_, 0.0)};
    for (std::size_t s = 0; s < n_; ++s) out.ages[s * longest_] = 1;
    return out;
  }

  // What is known of the next row before it is seen.
  void advance(const Known& now, Known& next) {
    for (std::size_t s = 0; s < n_; ++s)
      left_[s] = now.states[s] + log_of(dot(ages(now, s), leaving_.data() + s * longest_, longest_));
    forward_.take(left_.data(), entered_.data());
    next.states.resize(n_);
    next.ages.resize(n_ * longest_);
    for (std::size_t s = 0; s < n_; ++s) {
      const double* staying = staying_.data() + s * longest_;
      const double share = dot(ages(now, s), staying, longest_);
      const double stayed = now.states[s] + log_of(share);
      const double all = log_add(stayed, entered_[s]);
      next.states[s] = all;
      const bool any = all > kNever;
      grow_older(ages(now, s), staying, any && share > 0 ? std::exp(stayed - all) / share : 0.0,
                 any ? std::exp(entered_[s] - all) : 1.0, longest_, next.ages.data() + s * longest_);
    }
  }

  // The row is seen: its log likelihood given those before it. Where no state can be, nothing was learnt.
  double see(Known& row, const double* likelihoods) {
    std::vector<double> seen(n_);
    for (std::size_t s = 0; s < n_; ++s) seen[s] = row.states[s] + likelihoods[s];
    const double total = log_sum(seen.data(), n_);
    if (total == kNever) return kNever;
    for (std::size_t s = 0; s < n_; ++s) row.states[s] = seen[s] - total;
    return total;
  }

  const double* ages(const Known& row, std::size_t s) const { return row.ages.data() + s * longest_; }

 protected:
  std::size_t n_, longest_, width_;
  std::vector<double> start_, moves_, leaving_, staying_;
  Step forward_, backward_;
  std::vector<double> left_, entered_;
};

// Forward over a sequence with one row in `block_` kept, then backward, a block of rows known at a time.
class LastingSequence : private Lasting {
 public:
  explicit LastingSequence(const Chain& chain) : Lasting(chain), beta_(n_), later_(n_ * longest_), ahead_(n_ * longest_) {}

  void run(const double* likelihoods, std::size_t rows, double* posteriors, Expected& out) {
    block_ = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(rows))));
    const double log_likelihood = forward(likelihoods, rows);
    out.log_likelihood += log_likelihood;
    if (log_likelihood == kNever) {
      std::fill_n(posteriors, rows * width_, 0.0);
      return;
    }
    beta_.assign(n_, 0.0);
    std::fill(later_.begin(), later_.end(), 1.0);
    for (std::size_t b = kept_.size(); b-- > 0;) {
      const std::size_t first = b * block_, end = std::min(first + block_, rows);
      known_.resize(block_);
      known_[0] = kept_[b];
      for (std::size_t t = first + 1; t < end; ++t) {
        advance(known_[t - 1 - first], known_[t - first]);
        see(known_[t - first], likelihoods + t * width_);
      }
      for (std::size_t t = end; t-- > first;) {
        if (t + 1 < rows) back(known_[t - first], likelihoods + (t + 1) * width_, out);
        posterior(known_[t - first], posteriors + t * width_);
      }
    }
    for (std::size_t s = 0; s < n_; ++s) out.starts[s] += posteriors[s];
  }

 private:
  double forward(const double* likelihoods, std::size_t rows) {
    kept_.clear();
    Known now = begun(), next;
    double log_likelihood = 0;
    for (std::size_t t = 0; t < rows; ++t) {
      if (t > 0) {
        advance(now, next);
        std::swap(now, next);
      }
      log_likelihood += see(now, likelihoods + t * width_);
      if (log_likelihood == kNever) return kNever;
      if (t % block_ == 0) kept_.push_back(now);
    }
    return log_likelihood;
  }

  void posterior(const Known& row, double* out) {
    for (std::size_t s = 0; s < n_; ++s)
      out[s] = row.states[s] + beta_[s] + log_of(dot(ages(row, s), later_.data() + s * longest_, longest_));
    to_shares(out, n_);
    std::fill(out + n_, out + width_, 0.0);
  }

  // From what comes after the next row to what comes after `row`, and the moves between them. What comes after age a of
  // state s has probability exp(beta_s) later_sa.
  void back(const Known& row, const double* likelihoods, Expected& out) {
    std::vector<double> stay(n_), after(n_), leave(n_), terms(n_);
    for (std::size_t s = 0; s < n_; ++s) {
      stay[s] = likelihoods[s] + beta_[s];
      after[s] = stay[s] + log_of(later_[s * longest_]);
    }
    backward_.take(after.data(), leave.data());
    for (std::size_t s = 0; s < n_; ++s) {
      const std::size_t at = s * longest_;
      beta_[s] = std::max(stay[s], leave[s]);
      const bool any = beta_[s] > kNever;
      look_ahead(later_.data() + at, staying_.data() + at, leaving_.data() + at, any ? std::exp(stay[s] - beta_[s]) : 0,
                 any ? std::exp(leave[s] - beta_[s]) : 0, longest_, ahead_.data() + at);
      terms[s] = row.states[s] + beta_[s] + log_of(dot(ages(row, s), ahead_.data() + at, longest_));
    }
    const double total = log_sum(terms.data(), n_);
    if (total > kNever) count(row, stay, after, leave, total, out);
    std::swap(later_, ahead_);
    bring_near();
  }

  void count(const Known& row, const std::vector<double>& stay, const std::vector<double>& after,
             const std::vector<double>& leave, double total, Expected& out) {
    for (std::size_t s = 0; s < n_; ++s) {
      const std::size_t at = s * longest_;
      const double from = row.states[s] - total;
      if (from + stay[s] > kTooFar)
        count_stays(ages(row, s), staying_.data() + at, later_.data() + at, std::exp(from + stay[s]), longest_,
                    out.stays.data() + at);
      if (from + leave[s] <= kTooFar) continue;
      count_leaves(ages(row, s), leaving_.data() + at, std::exp(from + leave[s]), longest_, out.leaves.data() + at);
      const double left = from + log_of(dot(ages(row, s), leaving_.data() + at, longest_));
      for (std::size_t r = 0; r < n_; ++r) {
        const double log = left + moves_[s * n_ + r] + after[r];
        if (log > kTooFar) out.moves[s * n_ + r] += std::exp(log);
      }
    }
  }

  // Numbers stay near 1, however long the sequence.
  void bring_near() {
    for (std::size_t s = 0; s < n_; ++s) {
      double* later = later_.data() + s * longest_;
      const double most = largest(later, longest_);
      if (most <= 0) {
        beta_[s] = kNever;
        continue;
      }
      for (std::size_t age = 0; age < longest_; ++age) later[age] = later[age] < kNothing * most ? 0.0 : later[age] / most;
      beta_[s] += std::log(most);
    }
    const double most = largest(beta_.data(), n_);
    for (double& each : beta_)
      if (most > kNever) each -= most;
  }

  std::size_t block_ = 1;
  std::vector<Known> kept_, known_;
  std::vector<double> beta_, later_, ahead_;
};

// The most likely states of one sequence. Paths that are in a state at a row differ by when they entered it: `ages_` has
// the logarithm of the best one of each age, and of all that are older than that only the best.
class LastingPath {
 public:
  explicit LastingPath(const Chain& chain)
      : n_(chain.states),
        longest_(chain.longest),
        width_(padded_states(n_)),
        start_(logs_of(chain.start)),
        into_(logs_of(transposed(chain.moves, n_))),
        leaving_(logs_of(chain.leaving)),
        staying_(n_ * longest_) {
    for (std::size_t i = 0; i < staying_.size(); ++i) staying_[i] = log_of(1 - chain.leaving[i]);
  }

  void find(const double* likelihoods, std::size_t rows, std::int32_t* path) {
    ages_.assign(n_ * longest_, kNever);
    oldest_.assign(n_, 0);
    entered_.assign(rows * n_, 0);
    came_.assign(rows * n_, 0);
    for (std::size_t s = 0; s < n_; ++s) ages_[s * longest_] = start_[s] + likelihoods[s];
    for (std::size_t t = 1; t < rows; ++t) step(t, likelihoods + t * width_);
    trace(rows, path);
  }

 private:
  // The best age of a state at the row before, with what `more` adds to each, and the row at which it was entered.
  std::pair<double, std::int32_t> best(std::size_t s, std::size_t t, const double* more) const {
    const double* ages = ages_.data() + s * longest_;
    std::size_t chosen = 0;
    double most = kNever;
    for (std::size_t age = 0; age < longest_; ++age) {
      const double value = ages[age] + (more ? more[age] : 0.0);
      if (value > most) {
        most = value;
        chosen = age;
      }
    }
    const bool old = chosen + 1 == longest_;
    return {most, old ? oldest_[s] : static_cast<std::int32_t>(t - chosen)};
  }

  void step(std::size_t t, const double* likelihoods) {
    std::vector<double> left(n_), into(n_);
    for (std::size_t s = 0; s < n_; ++s) {
      const auto [value, since] = best(s, t - 1, leaving_.data() + s * longest_);
      left[s] = value;
      entered_[(t - 1) * n_ + s] = since;
    }
    for (std::size_t s = 0; s < n_; ++s) {
      const double* column = into_.data() + s * n_;
      std::size_t chosen = 0;
      for (std::size_t r = 1; r < n_; ++r)
        if (left[r] + column[r] > left[chosen] + column[chosen]) chosen = r;
      came_[t * n_ + s] = static_cast<std::int32_t>(chosen);
      into[s] = left[chosen] + column[chosen];
    }
    for (std::size_t s = 0; s < n_; ++s) older(s, t, into[s], likelihoods[s]);
  }

  void older(std::size_t s, std::size_t t, double entering, double likelihood) {
    double* ages = ages_.data() + s * longest_;
    const double* staying = staying_.data() + s * longest_;
    const std::size_t last = longest_ - 1;
    double oldest = ages[last] + staying[last];
    if (last > 0 && ages[last - 1] + staying[last - 1] > oldest) {
      oldest = ages[last - 1] + staying[last - 1];
      oldest_[s] = static_cast<std::int32_t>(t - last);
    }
    for (std::size_t age = last; age-- > 1;) ages[age] = ages[age - 1] + staying[age - 1];
    if (last == 0) {
      if (entering > oldest) oldest_[s] = static_cast<std::int32_t>(t);
      ages[0] = std::max(entering, oldest);
    } else {
      ages[0] = entering;
      ages[last] = oldest;
    }
    for (std::size_t age = 0; age < longest_; ++age) ages[age] += likelihood;
  }

  void trace(std::size_t rows, std::int32_t* path) const {
    double most = kNever;
    std::size_t state = 0;
    std::int32_t since = 0;
    for (std::size_t s = 0; s < n_; ++s) {
      const auto [value, entered] = best(s, rows - 1, nullptr);
      if (value > most) {
        most = value;
        state = s;
        since = entered;
      }
    }
    std::size_t end = rows;
    while (true) {
      const auto first = static_cast<std::size_t>(since);
      std::fill(path + first, path + end, static_cast<std::int32_t>(state));
      if (first == 0) return;
      state = static_cast<std::size_t>(came_[first * n_ + state]);
      since = entered_[(first - 1) * n_ + state];
      end = first;
    }
  }

  std::size_t n_, longest_, width_;
  std::vector<double> start_, into_, leaving_, staying_;
  std::vector<double> ages_;
  std::vector<std::int32_t> oldest_, entered_, came_;
};

// How long what is known of a row is likely to go on.
class UntilChange {
 public:
  explicit UntilChange(const Chain& chain) : n_(chain.states), longest_(chain.longest), logs_(n_ * (longest_ + 1), 0.0) {
    for (std::size_t s = 0; s < n_; ++s)
      for (std::size_t age = 0; age < longest_; ++age)
        logs_[s * (longest_ + 1) + age + 1] =
            std::max(logs_[s * (longest_ + 1) + age] + log_of(1 - chain.leaving[s * longest_ + age]), kLeast);
  }

  // The least number of rows after which the state is as likely to have changed as not.
  double of(const Known& row) {
    likely_.clear();
    double all = 0;
    for (std::size_t s = 0; s < n_; ++s) {
      const double share = std::exp(row.states[s]);
      for (std::size_t age = 0; age < longest_ && share > kUnlikely; ++age) {
        const double p = share * row.ages[s * longest_ + age];
        if (p > kUnlikely) likely_.push_back({s, age, p});
        if (p > kUnlikely) all += p;
      }
    }
    double high = 1;
    while (high < kFar && lasts(high) > all / 2) high *= 2;
    if (high >= kFar) return std::numeric_limits<double>::infinity();
    double low = std::floor(high / 2);
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (lasts(middle) > all / 2 ? low : high) = middle;
    }
    return high;
  }

 private:
  struct Likely {
    std::size_t state, age;
    double share;
  };

  // The probability that it goes on for so many rows more.
  double lasts(double rows) const {
    double sum = 0;
    for (const Likely& each : likely_) {
      const double* logs = logs_.data() + each.state * (longest_ + 1);
      const double within = std::min(rows, static_cast<double>(longest_ - each.age));
      const double beyond = rows - within, last = logs[longest_] - logs[longest_ - 1];
      const double log = logs[each.age + static_cast<std::size_t>(within)] - logs[each.age] + beyond * last;
      sum += each.share * std::exp(log);
    }
    return sum;
  }

  static constexpr double kFar = 1e15;     // a change so far away is none
  static constexpr double kLeast = -1e15;  // the logarithm of what is impossible, so that differences are numbers
  std::size_t n_, longest_;
  std::vector<double> logs_;
  std::vector<Likely> likely_;
};

// A chain without durations as one with: a state is left with the same probability after any time.
Chain with_durations(const Chain& chain) {
  if (chain.longest > 0) return chain;
  const std::size_t n = chain.states;
  Chain out = chain;
  out.longest = 1;
  out.leaving.assign(n, 0.0);
  for (std::size_t s = 0; s < n; ++s) {
    double* row = out.moves.data() + s * n;
    row[s] = 0;
    for (std::size_t r = 0; r < n; ++r) out.leaving[s] += row[r];
    for (std::size_t r = 0; r < n && out.leaving[s] > 0; ++r) row[r] /= out.leaving[s];
    out.leaving[s] = std::min(out.leaving[s], 1.0);
  }
  return out;
}

}  // namespace

void expect_lasting(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, Expected& out) {
  const std::size_t width = padded_states(chain.states);
  LastingSequence sequence(chain);
  std::size_t at = 0;
  for (const std::int64_t length : evidence.lengths) {
    sequence.run(log_likelihoods + at * width, static_cast<std::size_t>(length), out.posteriors.data() + at * width, out);
    at += static_cast<std::size_t>(length);
  }
}

void most_likely_lasting(const Chain& chain, const double* log_likelihoods, const Evidence& evidence,
                         std::int32_t* path) {
  const std::size_t width = padded_states(chain.states);
  LastingPath finder(chain);
  std::size_t at = 0;
  for (const std::int64_t length : evidence.lengths) {
    finder.find(log_likelihoods + at * width, static_cast<std::size_t>(length), path + at);
    at += static_cast<std::size_t>(length);
  }
}

void foretell(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, double* following,
              double* until_change) {
  const Chain whole = with_durations(chain);
  const std::size_t n = whole.states, width = padded_states(n);
  Lasting lasting(whole);
  UntilChange until(whole);
  std::size_t at = 0;
  for (const std::int64_t length : evidence.lengths) {
    Known now = lasting.begun(), next;
    for (std::size_t t = at; t < at + static_cast<std::size_t>(length); ++t) {
      if (t > at) std::swap(now, next);
      lasting.see(now, log_likelihoods + t * width);
      until_change[t] = until.of(now);
      lasting.advance(now, next);
      std::copy(next.states.begin(), next.states.end(), following + t * n);
      to_shares(following + t * n, n);
    }
    at += static_cast<std::size_t>(length);
  }
}

}  // namespace phasemark
