#include "multinomial/emissions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numbers/wide.hpp"

namespace phasemark {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// A smaller share of a row does not change a sum of doubles.
constexpr double kNegligible = 1e-30;

PHASEMARK_WIDE void add_scaled(double* sums, const double* terms, double factor, std::size_t width) {
  for (std::size_t s = 0; s < width; ++s) sums[s] += factor * terms[s];
}

PHASEMARK_WIDE void likelihoods_of_row(const std::int32_t* index, const double* value, std::size_t entries,
                                       const double* log_theta, std::size_t width, double* out) {
  for (std::size_t i = 0; i < entries; ++i) {
    if (value[i] == 0) continue;
    const double* column = log_theta + static_cast<std::size_t>(index[i]) * width;
    for (std::size_t s = 0; s < width; ++s) out[s] += value[i] * column[s];
  }
}

}  // namespace

Emissions::Emissions(std::size_t columns, std::size_t states)
    : columns_(columns), states_(states), width_(padded_states(states)), log_theta_(columns * width_, 0.0) {}

Emissions::Emissions(const double* theta, std::size_t columns, std::size_t states) : Emissions(columns, states) {
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t d = 0; d < columns; ++d) {
      const double p = theta[s * columns + d];
      log_theta_[d * width_ + s] = p > 0 ? std::log(p) : kNever;
    }
}

void Emissions::log_likelihoods(const Evidence& evidence, double* out) const {
  std::fill_n(out, evidence.rows * width_, 0.0);
  for (std::size_t t = 0; t < evidence.rows; ++t) {
    const auto first = evidence.indptr[t];
    likelihoods_of_row(evidence.indices + first, evidence.values + first,
                       static_cast<std::size_t>(evidence.indptr[t + 1] - first), log_theta_.data(), width_,
                       out + t * width_);
  }
}

void Emissions::maximise(const Evidence& evidence, const double* posteriors, std::span<const double> background,
                         double smoothing) {
  add_up(evidence, posteriors);
  normalise(background, smoothing);
}

void Emissions::add_up(const Evidence& evidence, const double* posteriors) {
  std::fill(log_theta_.begin(), log_theta_.end(), 0.0);
  std::vector<std::size_t> likely;
  for (std::size_t t = 0; t < evidence.rows; ++t) {
    const double* posterior = posteriors + t * width_;
    likely.clear();
    for (std::size_t s = 0; s < states_; ++s)
      if (posterior[s] > kNegligible) likely.push_back(s);
    for (auto i = evidence.indptr[t]; i < evidence.indptr[t + 1]; ++i) {
      double* column = log_theta_.data() + static_cast<std::size_t>(evidence.indices[i]) * width_;
      const double value = evidence.values[i];
      // Most rows are of one state or two.
      if (likely.size() > kStateStep)
        add_scaled(column, posterior, value, width_);
      else
        for (const std::size_t s : likely) column[s] += value * posterior[s];
    }
  }
}

void Emissions::normalise(std::span<const double> background, double smoothing) {
  std::vector<double> total(width_, 0.0);
  for (std::size_t d = 0; d < columns_; ++d) add_scaled(total.data(), log_theta_.data() + d * width_, 1.0, width_);
  for (std::size_t d = 0; d < columns_; ++d) {
    double* column = log_theta_.data() + d * width_;
    for (std::size_t s = 0; s < states_; ++s) {
      const double own = total[s] > 0 ? column[s] / total[s] : background[d];
      const double p = (1 - smoothing) * own + smoothing * background[d];
      column[s] = p > 0 ? std::log(p) : kNever;
    }
    std::fill(column + states_, column + width_, 0.0);
  }
}

void Emissions::take_row(std::size_t state, const Evidence& evidence, std::size_t row,
                         std::span<const double> background, double share) {
  double total = 0;
  for (auto i = evidence.indptr[row]; i < evidence.indptr[row + 1]; ++i) total += evidence.values[i];
  std::vector<double> p(background.begin(), background.end());
  if (total > 0) {
    for (double& each : p) each *= share;
    for (auto i = evidence.indptr[row]; i < evidence.indptr[row + 1]; ++i)
      p[static_cast<std::size_t>(evidence.indices[i])] += (1 - share) * evidence.values[i] / total;
  }
  for (std::size_t d = 0; d < columns_; ++d) log_theta_[d * width_ + state] = p[d] > 0 ? std::log(p[d]) : kNever;
}

std::vector<double> Emissions::theta() const {
  std::vector<double> out(states_ * columns_);
  for (std::size_t s = 0; s < states_; ++s)
    for (std::size_t d = 0; d < columns_; ++d) out[s * columns_ + d] = std::exp(log_theta_[d * width_ + s]);
  return out;
}

}  // namespace phasemark
