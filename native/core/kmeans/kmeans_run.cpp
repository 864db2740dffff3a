#include "kmeans/kmeans_run.hpp"

#include <algorithm>
#include <utility>

namespace phasemark {

KMeansRun::KMeansRun(const WholePoints& points, Lloyd start, int restart)
    : points_(&points), clustering_(std::move(start)) {
  fit_.k = clustering_.k();
  fit_.restart = restart;
  fit_.initial_centers = points.unscaled(clustering_.centers());
}

void KMeansRun::advance(std::int64_t max_iter, const std::function<void()>& pulse) {
  while (true) {
    const std::int64_t left = max_iter - fit_.iterations;
    const std::int64_t done = clustering_.run(pulse ? std::min<std::int64_t>(left, 1) : left);
    fit_.iterations += done;
    if (!pulse || done == 0 || fit_.iterations >= max_iter) return;
    pulse();
  }
}

void KMeansRun::finish(const BicTerms& terms) {
  fit_.error = error();
  fit_.score = bic(fit_.error, clustering_.cluster_shares(), points_->dims(), terms);
  fit_.centers = points_->unscaled(clustering_.centers());
}

bool better(const KMeansFit& a, const KMeansFit& b) {
  if (a.error != b.error) return a.error < b.error;
  if (a.score != b.score) return a.score > b.score;
  return a.restart < b.restart;
}

}  // namespace phasemark
