#include "multinomial/em.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "numbers/random.hpp"
#include "threads/parallel.hpp"

namespace phasemark {

namespace {

// How much of the background a row that a state starts from is mixed with: no block is impossible.
constexpr double kStartSmoothing = 0.1;

// In proportion to counts, drawn towards all being equal by `smoothing`; all equal where nothing was counted.
void proportional(double* counts, std::size_t n, double smoothing) {
  const double total = std::accumulate(counts, counts + n, 0.0), equal = 1.0 / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double own = total > 0 ? counts[i] / total : equal;
    counts[i] = (1 - smoothing) * own + smoothing * equal;
  }
}

// How likely a state is to be left after each time. As few visits tell, each is drawn towards that of all times
// together, what a geometric duration would be, which counts for `prior` visits.
void maximise_leaving(Chain& chain, const Expected& expected, std::size_t s, double smoothing, double prior) {
  const double* leaves = expected.leaves.data() + s * chain.longest;
  const double* stays = expected.stays.data() + s * chain.longest;
  const double left = std::accumulate(leaves, leaves + chain.longest, 0.0);
  const double total = left + std::accumulate(stays, stays + chain.longest, 0.0);
  const double equal = 1.0 - 1.0 / static_cast<double>(chain.states);
  const double overall = (1 - smoothing) * (total > 0 ? left / total : equal) + smoothing * equal;
  for (std::size_t age = 0; age < chain.longest; ++age)
    chain.leaving[s * chain.longest + age] = (leaves[age] + prior * overall) / (leaves[age] + stays[age] + prior);
}

// Where a state that is left goes to: never to itself.
void maximise_others(double* counts, std::size_t s, std::size_t n, double smoothing) {
  counts[s] = 0;
  if (n < 2) return;
  std::swap(counts[s], counts[n - 1]);
  proportional(counts, n - 1, smoothing);
  std::swap(counts[s], counts[n - 1]);
}

void maximise(Chain& chain, const Expected& expected, double smoothing, double prior) {
  chain.start = expected.starts;
  proportional(chain.start.data(), chain.states, smoothing);
  chain.moves = expected.moves;
  if (chain.longest > 0) {
    for (std::size_t s = 0; s < chain.states; ++s) {
      maximise_leaving(chain, expected, s, smoothing, prior);
      maximise_others(chain.moves.data() + s * chain.states, s, chain.states, smoothing);
    }
    return;
  }
  for (std::size_t r = 0; r < chain.states && chain.ordered; ++r)
    proportional(chain.moves.data() + r * chain.states, chain.states, smoothing);
}

// Picks a row with a probability proportional to its weight; the last one where all are 0.
std::size_t drawn(const std::vector<double>& weights, double at) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    sum += weights[t];
    if (weights[t] > 0 && sum >= at * total) return t;
  }
  return weights.size() - 1;
}

// Log likelihood of each row if it were a state of its own: what no state can exceed.
std::vector<double> alone(const Evidence& evidence) {
  std::vector<double> out(evidence.rows, 0.0);
  for (std::size_t t = 0; t < evidence.rows; ++t) {
    double total = 0;
    for (auto i = evidence.indptr[t]; i < evidence.indptr[t + 1]; ++i) total += evidence.values[i];
    for (auto i = evidence.indptr[t]; i < evidence.indptr[t + 1]; ++i)
      if (evidence.values[i] > 0) out[t] += evidence.values[i] * std::log(evidence.values[i] / total);
  }
  return out;
}

// States that are rows, each far in divergence from those chosen before.
Emissions spread_rows(const Evidence& evidence, std::span<const double> background, std::size_t states,
                      Stream& random, const std::vector<double>& own, const std::function<void()>& pulse) {
  Emissions out(evidence.columns, states);
  std::vector<double> lacking(evidence.rows, std::numeric_limits<double>::infinity());
  std::vector<double> likelihoods(evidence.rows * kStateStep);
  for (std::size_t s = 0; s < states; ++s) {
    std::size_t row = static_cast<std::size_t>(random.next() * static_cast<double>(evidence.rows));
    if (s > 0) row = drawn(lacking, random.next());
    out.take_row(s, evidence, row, background, kStartSmoothing);
    Emissions one(evidence.columns, 1);
    one.take_row(0, evidence, row, background, kStartSmoothing);
    one.log_likelihoods(evidence, likelihoods.data());
    for (std::size_t t = 0; t < evidence.rows; ++t)
      lacking[t] = std::min(lacking[t], std::max(own[t] - likelihoods[t * kStateStep], 0.0));
    if (pulse) pulse();
  }
  return out;
}

}  // namespace

EmFit em_from(const Evidence& evidence, std::span<const double> background, const EmOptions& options, Chain chain,
              Emissions emissions, const std::function<void()>& pulse) {
  EmFit fit;
  Expected expected;
  std::vector<double> likelihoods(evidence.rows * emissions.width());
  const auto look = [&](const Chain& of, const Emissions& with) {
    with.log_likelihoods(evidence, likelihoods.data());
    if (pulse) pulse();
    expect(of, likelihoods.data(), evidence, expected);
    if (pulse) pulse();
  };
  look(chain, emissions);
  fit.log_likelihoods.push_back(expected.log_likelihood);
  Emissions next_emissions = emissions;
  while (fit.iterations < options.max_iter && !fit.converged) {
    Chain next = chain;
    maximise(next, expected, options.smoothing, options.prior);
    next_emissions.maximise(evidence, expected.posteriors.data(), background, options.smoothing);
    look(next, next_emissions);
    const double before = fit.log_likelihoods.back(), gain = expected.log_likelihood - before;
    fit.converged = !(gain > options.tolerance * std::abs(before));
    // Smoothing is no part of the likelihood, which may fall by a trace at the top: no further.
    if (gain < 0) break;
    ++fit.iterations;
    fit.log_likelihoods.push_back(expected.log_likelihood);
    chain = std::move(next);
    std::swap(emissions, next_emissions);
  }
  fit.chain = std::move(chain);
  fit.theta = emissions.theta();
  return fit;
}

EmResult expectation_maximisation(const Evidence& evidence, std::span<const double> background,
                                  const EmOptions& options, const std::function<bool(std::size_t)>& progress) {
  EmResult result;
  const auto runs = static_cast<std::size_t>(options.restarts);
  result.restarts.resize(runs);
  const std::vector<double> own = alone(evidence);
  std::mutex mutex;
  std::atomic<std::size_t> done{0};
  bool any = false;
  const std::function<bool()> tick = [&] { return !progress || progress(done); };
  const std::function<void()> pulse = pulse_of(tick);
  const auto run = [&](std::size_t r) {
    Stream random(options.seed, options.states, r);
    Emissions start = spread_rows(evidence, background, options.states, random, own, pulse);
    EmFit fit = em_from(evidence, background, options, Chain(options.states, options.ordered), std::move(start), pulse);
    fit.restart = static_cast<int>(r);
    const double reached = fit.log_likelihoods.back();
    const std::lock_guard lock(mutex);
    result.restarts[r] = reached;
    const bool better = !any || reached > result.best.log_likelihoods.back()
                        || (reached == result.best.log_likelihoods.back() && fit.restart < result.best.restart);
    if (better) result.best = std::move(fit);
    any = true;
    ++done;
  };
  if (!parallel_for(runs, options.threads, run, tick)) return {};
  return result;
}

}  // namespace phasemark
