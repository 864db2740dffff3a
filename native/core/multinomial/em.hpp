#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "multinomial/chain.hpp"
#include "multinomial/emissions.hpp"

namespace phasemark {

struct EmOptions {
  std::size_t states;
  bool ordered;  // a hidden Markov model; else a mixture
  std::uint64_t seed;
  int restarts;
  double smoothing;  // share of the background in every state, and of chance in every move
  double tolerance;  // no further where the log likelihood grows by a smaller share of itself
  std::int64_t max_iter;
  int threads;
  double prior = 0;  // visits of a state that a geometric duration counts for, where durations are learnt
};

struct EmFit {
  int restart = 0;
  std::int64_t iterations = 0;
  bool converged = false;
  std::vector<double> log_likelihoods;  // before the first step and after each; they never fall
  Chain chain{0, false};
  std::vector<double> theta;  // states x columns
};

// The best of several runs of expectation maximisation, the one with the highest log likelihood (on ties the first).
struct EmResult {
  EmFit best;
  std::vector<double> restarts;  // each run's final log likelihood
};

// Run r starts from rows drawn from Stream(seed, states, r), far apart in divergence (as k-means++ draws them), and
// depends on nothing else. `background` (columns, sums to 1) is what all rows together execute. An empty result means
// that `progress`, told how many runs are done, stopped the work.
EmResult expectation_maximisation(const Evidence& evidence, std::span<const double> background,
                                  const EmOptions& options, const std::function<bool(std::size_t)>& progress);

// One run from a given model.
EmFit em_from(const Evidence& evidence, std::span<const double> background, const EmOptions& options, Chain chain,
              Emissions emissions, const std::function<void()>& pulse = {});

}  // namespace phasemark
