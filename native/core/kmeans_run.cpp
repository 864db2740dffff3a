#include "core/kmeans_run.hpp"

#include <utility>

namespace phasemark {

KMeansRun::KMeansRun(const WholePoints& points, Lloyd start, int restart)
    : points_(&points), clustering_(std::move(start)) {
  fit_.k = clustering_.k();
  fit_.restart = restart;
  fit_.initial_centers = points.unscaled(clustering_.centers());
}

void KMeansRun::advance(std::int64_t max_iter) {
  fit_.iterations += clustering_.run(max_iter - fit_.iterations);
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
