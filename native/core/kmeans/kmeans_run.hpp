#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "kmeans/kmeans.hpp"
#include "kmeans/lloyd.hpp"
#include "kmeans/whole.hpp"

namespace phasemark {

// One run of k-means, from its start on.
class KMeansRun {
 public:
  KMeansRun(const WholePoints& points, Lloyd start, int restart);

  // Up to `max_iter` updates of the centres in all, whatever was done before; `pulse` is called after each, and may
  // throw.
  void advance(std::int64_t max_iter, const std::function<void()>& pulse = {});
  // As it would be if the run ended here.
  double error() { return points_->unscaled_error(clustering_.error()); }
  // Takes the centres, error and score as they are.
  void finish(const BicTerms& terms);

  const KMeansFit& fit() const { return fit_; }
  KMeansFit take() { return std::move(fit_); }
  const Lloyd& clustering() const { return clustering_; }

 private:
  const WholePoints* points_;
  Lloyd clustering_;
  KMeansFit fit_;
};

// Lower error, on ties higher score, then the earlier start.
bool better(const KMeansFit& a, const KMeansFit& b);

}  // namespace phasemark
