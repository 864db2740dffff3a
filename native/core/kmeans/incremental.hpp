#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kmeans/kmeans.hpp"
#include "kmeans/kmeans_run.hpp"
#include "kmeans/seeding.hpp"
#include "kmeans/whole.hpp"

namespace phasemark {

// Up to so many clusters are looked for in KMeansOptions::search_size points; up to twice as many in twice as many
// points, and so on.
inline constexpr std::size_t kClustersPerSearch = 32;

// Up to so many clusters, fresh starts compete: among few, one bad choice spoils much, and it is passed on.
inline constexpr std::size_t kFreshStarts = 20;

// Of the candidates for a k, those that look best after so many updates of their centres are run to the end.
inline constexpr std::int64_t kTrialUpdates = 2;
// One in so many, and at least kLeastFinalists.
inline constexpr std::size_t kCandidatesPerFinalist = 4;
inline constexpr std::size_t kLeastFinalists = 2;

// How a candidate for k grows out of the clustering for k - 1.
enum class Growth {
  add,   // one more centre, where the error is
  swap,  // the two clusters joined that are most alike, and two more centres
  anew,  // all centres by k-means++, regardless of k - 1
};

// The search for good centres: k = 1, 2 ..., each from the one before, on few of the points.
class IncrementalSearch {
 public:
  IncrementalSearch(const WholePoints& points, const KMeansOptions& options);

  std::size_t k() const { return fit().k; }
  const KMeansFit& fit() const { return best_->fit(); }
  // Whether these are all points: then there is nothing left to do.
  bool on_all() const { return !few_; }

  // To the next k; false when `tick` stopped the work.
  bool grow(const std::function<bool()>& tick);

 private:
  struct Candidate {
    Growth growth;
    int number;  // among those of its kind
  };
  // A clustering that grows by centres where the error is.
  struct Base {
    Base(const WholePoints& points, Lloyd from) : clustering(std::move(from)), lots(points, clustering.squared()) {}

    Lloyd clustering;
    Lots lots;
  };

  const WholePoints& points() const { return few_ ? *few_ : all_; }
  void draw_points();
  void look_at_more_points();
  std::vector<Candidate> candidates() const;
  Lloyd start(const Candidate& candidate, std::size_t index, const Base& best, const std::optional<Base>& joined);

  const WholePoints& all_;
  const KMeansOptions& options_;
  std::size_t size_;  // of the search, at most
  std::optional<WholePoints> few_;
  std::vector<KMeansPlusPlus> anew_;  // by number of candidate
  std::optional<KMeansRun> best_;
};

// The search, then a run on all points for each k, from the centres found.
std::vector<KMeansFit> incremental(const WholePoints& points, std::span<const std::size_t> ks,
                                   const KMeansOptions& options, const Progress& progress);

}  // namespace phasemark
