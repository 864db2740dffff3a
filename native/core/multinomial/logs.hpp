#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace phasemark {

// The logarithm of nothing.
inline constexpr double kNever = -std::numeric_limits<double>::infinity();

// Terms that much below the largest do not change a sum of doubles.
inline constexpr double kTooFar = -50;

// Above, differences of logarithms are safely those of doubles.
inline constexpr double kNear = -600;

inline double log_of(double p) { return p > 0 ? std::log(p) : kNever; }

inline std::vector<double> logs_of(const std::vector<double>& values) {
  std::vector<double> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), log_of);
  return out;
}

inline std::vector<double> transposed(const std::vector<double>& square, std::size_t n) {
  std::vector<double> out(square.size());
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t s = 0; s < n; ++s) out[s * n + r] = square[r * n + s];
  return out;
}

// log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  const double most = std::max(a, b);
  return most == kNever ? kNever : most + std::log1p(std::exp(std::min(a, b) - most));
}

inline double largest(const double* values, std::size_t n) { return n ? *std::max_element(values, values + n) : kNever; }

inline double log_sum(const double* values, std::size_t n) {
  const double most = largest(values, n);
  if (most == kNever) return kNever;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (values[i] - most > kTooFar) sum += std::exp(values[i] - most);
  return most + std::log(sum);
}

// From logarithms to shares that sum to 1; all 0 where nothing is possible. Returns the logarithm of the sum. Of huge
// logarithms that one is rounded to many nats, so shares are taken relative to the largest.
inline double to_shares(double* logs, std::size_t n) {
  const double most = largest(logs, n);
  if (most == kNever) {
    std::fill_n(logs, n, 0.0);
    return kNever;
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double log = logs[i] - most;
    logs[i] = std::exp(log);
    if (log > kTooFar) sum += logs[i];
  }
  for (std::size_t i = 0; i < n; ++i) logs[i] /= sum;
  return most + std::log(sum);
}

// A step of the recursion in either direction: out_s = log sum_r exp(in_r + log weight_rs). `columns` holds for each s
// its weights, one after the other.
class Step {
 public:
  Step(std::vector<double> columns, std::size_t states)
      : n_(states), weights_(std::move(columns)), logs_(logs_of(weights_)), scaled_(states), terms_(states) {}

  void take(const double* in, double* out) {
    const double most = largest(in, n_);
    if (most == kNever) {
      std::fill_n(out, n_, kNever);
      return;
    }
    if (*std::min_element(in, in + n_) - most > kNear)
      near(in, most, out);
    else
      far(in, out);
  }

 private:
  void near(const double* in, double most, double* out) {
    for (std::size_t r = 0; r < n_; ++r) scaled_[r] = std::exp(in[r] - most);
    for (std::size_t s = 0; s < n_; ++s) {
      const double* column = weights_.data() + s * n_;
      double sum = 0;
      for (std::size_t r = 0; r < n_; ++r) sum += scaled_[r] * column[r];
      out[s] = most + log_of(sum);
    }
  }

  void far(const double* in, double* out) {
    for (std::size_t s = 0; s < n_; ++s) {
      const double* column = logs_.data() + s * n_;
      for (std::size_t r = 0; r < n_; ++r) terms_[r] = in[r] + column[r];
      out[s] = log_sum(terms_.data(), n_);
    }
  }

  std::size_t n_;
  std::vector<double> weights_, logs_, scaled_, terms_;
};

}  // namespace phasemark
