#pragma once

#include <span>
#include <vector>

#include "multinomial/evidence.hpp"

namespace phasemark {

// log theta: how likely each state is to execute each block. Columns x padded states, so that one entry of a row of
// evidence meets all states side by side.
class Emissions {
 public:
  Emissions(std::size_t columns, std::size_t states);

  // From probabilities, states x columns.
  Emissions(const double* theta, std::size_t columns, std::size_t states);

  std::size_t states() const { return states_; }
  std::size_t width() const { return width_; }

  // sum_d o_td log theta_sd, rows x width; the multinomial coefficient, which is the same for all states, is left out.
  void log_likelihoods(const Evidence& evidence, double* out) const;

  // The maximum: theta_sd proportional to sum_t posterior_ts o_td, drawn towards `background` (columns, sums to 1) by
  // `smoothing`. A state without evidence is the background.
  void maximise(const Evidence& evidence, const double* posteriors, std::span<const double> background,
                double smoothing);

  // One state is the row of evidence, drawn towards the background by `share`.
  void take_row(std::size_t state, const Evidence& evidence, std::size_t row, std::span<const double> background,
                double share);

  // Probabilities, states x columns.
  std::vector<double> theta() const;

 private:
  void add_up(const Evidence& evidence, const double* posteriors);
  void normalise(std::span<const double> background, double smoothing);

  std::size_t columns_, states_, width_;
  std::vector<double> log_theta_;
};

}  // namespace phasemark
