#include "multinomial/chain.hpp"

#include <algorithm>
#include <cmath>

#include "multinomial/durations.hpp"
#include "multinomial/logs.hpp"

namespace phasemark {

namespace {

// The recursions over one sequence.
class Sequence {
 public:
  Sequence(const Chain& chain, std::size_t width)
      : n_(chain.states),
        width_(width),
        start_(logs_of(chain.start)),
        moves_(logs_of(chain.moves)),
        forward_(transposed(chain.moves, n_), n_),
        backward_(chain.moves, n_),
        after_(n_) {}

  void run(const double* likelihoods, std::size_t rows, double* posteriors, Expected& out) {
    const double log_likelihood = forward(likelihoods, rows);
    out.log_likelihood += log_likelihood;
    if (log_likelihood == kNever) {
      std::fill_n(posteriors, rows * width_, 0.0);
      return;
    }
    beta_.assign(n_, 0.0);
    for (std::size_t t = rows; t-- > 0;) {
      posterior(t, posteriors + t * width_);
      if (t > 0) back(t, likelihoods, out);
    }
    for (std::size_t s = 0; s < n_; ++s) out.starts[s] += posteriors[s];
  }

 private:
  // Each row of alpha is brought to sum 1, so that logarithms keep their last digits however long the run. Returns
  // the log likelihood.
  double forward(const double* likelihoods, std::size_t rows) {
    alpha_.resize(rows * n_);
    double log_likelihood = 0;
    for (std::size_t t = 0; t < rows; ++t) {
      double* row = alpha_.data() + t * n_;
      if (t)
        forward_.take(row - n_, row);
      else
        std::copy(start_.begin(), start_.end(), row);
      for (std::size_t s = 0; s < n_; ++s) row[s] += likelihoods[t * width_ + s];
      const double total = log_sum(row, n_);
      log_likelihood += total;
      if (total == kNever) return kNever;
      for (std::size_t s = 0; s < n_; ++s) row[s] -= total;
    }
    return log_likelihood;
  }

  void posterior(std::size_t t, double* out) {
    const double* alpha = alpha_.data() + t * n_;
    for (std::size_t s = 0; s < n_; ++s) out[s] = alpha[s] + beta_[s];
    to_shares(out, n_);
    std::fill(out + n_, out + width_, 0.0);
  }

  // From beta of row t to that of the one before, and the moves between them.
  void back(std::size_t t, const double* likelihoods, Expected& out) {
    for (std::size_t s = 0; s < n_; ++s) after_[s] = likelihoods[t * width_ + s] + beta_[s];
    const double* alpha = alpha_.data() + (t - 1) * n_;
    backward_.take(after_.data(), beta_.data());
    double total = kNever;
    for (std::size_t r = 0; r < n_; ++r) total = std::max(total, alpha[r] + beta_[r]);
    if (total == kNever) return;
    double sum = 0;
    for (std::size_t r = 0; r < n_; ++r) sum += std::exp(alpha[r] + beta_[r] - total);
    count_moves(alpha, total + std::log(sum), out);
    const double most = largest(beta_.data(), n_);
    for (double& each : beta_) each -= most;
  }

  void count_moves(const double* alpha, double total, Expected& out) {
    for (std::size_t r = 0; r < n_; ++r) {
      if (alpha[r] + beta_[r] - total < kTooFar) continue;
      const double* logs = moves_.data() + r * n_;
      double* counts = out.moves.data() + r * n_;
      const double from = alpha[r] - total;
      for (std::size_t s = 0; s < n_; ++s) {
        const double log = from + logs[s] + after_[s];
        if (log > kTooFar) counts[s] += std::exp(log);
      }
    }
  }

  std::size_t n_, width_;
  std::vector<double> start_, moves_;
  Step forward_, backward_;
  std::vector<double> alpha_, beta_, after_;
};

void expect_mixture(const Chain& chain, const double* likelihoods, const Evidence& evidence, Expected& out) {
  const std::size_t n = chain.states, width = padded_states(n);
  const std::vector<double> start = logs_of(chain.start);
  for (std::size_t t = 0; t < evidence.rows; ++t) {
    double* row = out.posteriors.data() + t * width;
    for (std::size_t s = 0; s < n; ++s) row[s] = start[s] + likelihoods[t * width + s];
    out.log_likelihood += to_shares(row, n);
    for (std::size_t s = 0; s < n; ++s) out.starts[s] += row[s];
    std::fill(row + n, row + width, 0.0);
  }
}

// The most likely state of each of one sequence's rows.
void path_of(const std::vector<double>& start, const std::vector<double>& into, std::size_t n, const double* likelihoods,
             std::size_t rows, std::int32_t* path) {
  const std::size_t width = padded_states(n);
  std::vector<double> best(n), before(n);
  std::vector<std::int32_t> from(rows * n);
  for (std::size_t s = 0; s < n; ++s) best[s] = start[s] + likelihoods[s];
  for (std::size_t t = 1; t < rows; ++t) {
    before.swap(best);
    for (std::size_t s = 0; s < n; ++s) {
      const double* column = into.data() + s * n;
      std::size_t chosen = 0;
      for (std::size_t r = 1; r < n; ++r)
        if (before[r] + column[r] > before[chosen] + column[chosen]) chosen = r;
      from[t * n + s] = static_cast<std::int32_t>(chosen);
      best[s] = before[chosen] + column[chosen] + likelihoods[t * width + s];
    }
  }
  auto state = static_cast<std::int32_t>(std::max_element(best.begin(), best.end()) - best.begin());
  for (std::size_t t = rows; t-- > 0;) {
    path[t] = state;
    state = from[t * n + static_cast<std::size_t>(state)];
  }
}

}  // namespace

Chain::Chain(std::size_t n, bool in_order)
    : states(n), ordered(in_order), start(n, 1.0 / static_cast<double>(n)),
      moves(in_order ? n * n : 0, 1.0 / static_cast<double>(n)) {}

void expect(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, Expected& out) {
  const std::size_t width = padded_states(chain.states);
  out.log_likelihood = 0;
  out.posteriors.resize(evidence.rows * width);
  out.starts.assign(chain.states, 0.0);
  out.moves.assign(chain.moves.size(), 0.0);
  out.leaves.assign(chain.leaving.size(), 0.0);
  out.stays.assign(chain.leaving.size(), 0.0);
  if (!chain.ordered) {
    expect_mixture(chain, log_likelihoods, evidence, out);
    return;
  }
  if (chain.longest > 0) {
    expect_lasting(chain, log_likelihoods, evidence, out);
    return;
  }
  Sequence sequence(chain, width);
  std::size_t at = 0;
  for (const std::int64_t length : evidence.lengths) {
    const auto rows = static_cast<std::size_t>(length);
    sequence.run(log_likelihoods + at * width, rows, out.posteriors.data() + at * width, out);
    at += rows;
  }
}

void most_likely(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, std::int32_t* path) {
  if (chain.longest > 0) {
    most_likely_lasting(chain, log_likelihoods, evidence, path);
    return;
  }
  const std::size_t n = chain.states, width = padded_states(n);
  const std::vector<double> start = logs_of(chain.start);
  const std::vector<double> into = chain.ordered ? logs_of(transposed(chain.moves, n)) : std::vector<double>{};
  std::size_t at = 0;
  for (const std::int64_t length : evidence.lengths) {
    const auto rows = static_cast<std::size_t>(length);
    if (chain.ordered) {
      path_of(start, into, n, log_likelihoods + at * width, rows, path + at);
    } else {
      for (std::size_t t = at; t < at + rows; ++t) path_of(start, into, n, log_likelihoods + t * width, 1, path + t);
    }
    at += rows;
  }
}

}  // namespace phasemark
