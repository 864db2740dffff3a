#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kmeans/bic.hpp"
#include "kmeans/points.hpp"
#include "kmeans/seeding.hpp"

namespace phasemark {

// With few clusters a run is cheap and one poor start spoils it: up to this k, k-means++ runs three times
// as often, the last third from points at random, which find optima that far-apart starts miss.
inline constexpr std::size_t kFewClusters = 10;

// Where good centres lie shows in a few thousand points; all points then say where exactly.
inline constexpr std::size_t kSearchSize = 2048;

struct KMeansOptions {
  std::uint64_t seed;
  int restarts;
  std::int64_t max_iter;
  Init init;
  int threads;
  std::size_t search_size;  // points the incremental search looks at, while clusters are few
  BicTerms bic;
};

struct KMeansFit {
  std::size_t k = 0;
  int restart = 0;
  std::int64_t iterations = 0;
  double error = 0;                     // sum of weight x squared distance
  double score = 0;                     // BIC
  std::vector<double> initial_centers;  // k x d
  std::vector<double> centers;          // k x d
};

// Called on the caller's thread now and then with the number of k that are done; false stops.
using Progress = std::function<bool(std::size_t done)>;

// Weighted k-means (Lloyd), for each k of `ks`, in their order, the run of `restarts` with the lowest
// error (on ties the highest BIC, then the first). Points are assigned to the nearest centre, ties to the
// lowest index; a centre is the weighted mean of its points, summed in row order; a cluster that loses all
// points is moved to the point farthest from its centre.
// Run r of a k draws from Stream(seed, k, r): its result depends on nothing else, so neither on the other
// k nor on `threads`. Returns an empty list when `progress` stopped the work.
//
// Where points share a place there may be fewer places than k: a fit then holds empty clusters.
std::vector<KMeansFit> kmeans(const Points& points, std::span<const std::size_t> ks,
                              const KMeansOptions& options, const Progress& progress);

// The same from given centres (k x d), one run.
KMeansFit kmeans_from(const Points& points, std::vector<double> centers, std::int64_t max_iter,
                      const BicTerms& bic);

// Nearest centre and squared distance of each point; ties to the lowest index.
void assign(const double* x, std::size_t n, std::size_t d, const double* centers, std::size_t k, int threads,
            std::int32_t* labels, double* squared_distances);

}  // namespace phasemark
