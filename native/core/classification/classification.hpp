#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kmeans/kmeans.hpp"

namespace phasemark {

// What lies between projected vectors and simulation points where all intervals weigh the same: the steps that
// phasemark.phases.SimPoint and phasemark.points.nearest take, on arrays of our own. Intervals of length 0 have a
// phase, but no weight, and are no points.
class Classification {
 public:
  struct Phases {
    std::size_t k = 0;
    std::vector<std::int32_t> labels;  // 0 to k - 1 in order of first appearance
    std::vector<double> distances;     // to the phase's centre
  };
  struct Point {
    std::size_t interval;
    std::int32_t phase;
    double weight;
  };

  // rows.size() / d rows, finite.
  Classification(std::vector<double> rows, std::size_t d, std::span<const std::int64_t> lengths);

  // Intervals with weight.
  std::size_t n() const noexcept { return weights_.size(); }
  // Different vectors among them, counted no further than `limit`.
  std::size_t distinct(std::size_t limit) const;
  // As kmeans(); the number of observations and the least variance are the points' own.
  std::vector<KMeansFit> fit(std::span<const std::size_t> ks, KMeansOptions options, const Progress& progress) const;
  Phases phases(const std::vector<double>& centers, int threads) const;
  // The interval nearest to each phase's centre, the first on ties, by phase; weighed by the phase's share.
  std::vector<Point> points(const Phases& phases) const;

 private:
  const double* clustered() const noexcept { return some_.empty() ? rows_.data() : some_.data(); }

  std::size_t d_;
  std::vector<double> rows_;
  std::vector<bool> weighs_;
  std::vector<double> some_;  // the rows with weight, where not all have it
  std::vector<double> weights_;
};

}  // namespace phasemark
