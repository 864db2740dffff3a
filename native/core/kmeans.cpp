#include "core/kmeans.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "core/centers.hpp"
#include "core/parallel.hpp"
#include "core/seeding.hpp"

namespace phasemark {

namespace {

// One run of Lloyd's algorithm: the centres and what belongs to them.
class Lloyd {
 public:
  Lloyd(const Points& points, std::vector<double> centers)
      : points_(points),
        k_(centers.size() / points.d),
        centers_(std::move(centers)),
        labels_(points.n, -1),
        previous_(points.n, -1),
        squared_(points.n),
        cluster_weights_(k_),
        sizes_(k_) {}

  // At most `max_iter` updates of the centres, and more only while a cluster is without points.
  std::int64_t run(std::int64_t max_iter) {
    for (std::int64_t iteration = 0;; ++iteration) {
      assign_points();
      const bool moved = fill_empty_clusters();
      if (!moved && (iteration >= max_iter || labels_ == previous_)) return iteration;
      update_centers();
      previous_ = labels_;
    }
  }

  double error() const {
    double sum = 0;
    for (std::size_t i = 0; i < points_.n; ++i) sum += points_.weight[i] * squared_[i];
    return sum;
  }

  std::span<const double> cluster_weights() const { return cluster_weights_; }
  std::vector<double> take_centers() { return std::move(centers_); }

 private:
  void assign_points() {
    CenterTable(centers_.data(), k_, points_.d).nearest(points_.x, points_.n, labels_.data(), squared_.data());
    weigh();
  }

  void weigh() {
    std::fill(cluster_weights_.begin(), cluster_weights_.end(), 0.0);
    std::fill(sizes_.begin(), sizes_.end(), 0);
    for (std::size_t i = 0; i < points_.n; ++i) {
      cluster_weights_[static_cast<std::size_t>(labels_[i])] += points_.weight[i];
      ++sizes_[static_cast<std::size_t>(labels_[i])];
    }
  }

  bool fill_empty_clusters() {
    bool moved = false;
    for (std::size_t c = 0; c < k_; ++c) {
      if (sizes_[c] != 0) continue;
      const std::size_t far = farthest_of_many();
      if (far == points_.n) break;
      --sizes_[static_cast<std::size_t>(labels_[far])];
      labels_[far] = static_cast<std::int32_t>(c);
      squared_[far] = 0;
      sizes_[c] = 1;
      moved = true;
    }
    return moved;
  }

  // The point farthest from its centre, earliest on ties, among those that can leave a cluster without
  // emptying it; n when every point sits on its centre.
  std::size_t farthest_of_many() const {
    std::size_t best = points_.n;
    double distance = 0;
    for (std::size_t i = 0; i < points_.n; ++i) {
      if (squared_[i] > distance && sizes_[static_cast<std::size_t>(labels_[i])] > 1) {
        best = i;
        distance = squared_[i];
      }
    }
    return best;
  }

  // Sums run over the differences to the first point of each cluster: equal points have exactly their
  // own place as centre.
  void update_centers() {
    weigh();
    const std::size_t d = points_.d;
    std::vector<const double*> first(k_, nullptr);
    std::vector<double> sums(k_ * d);
    for (std::size_t i = 0; i < points_.n; ++i) {
      const auto c = static_cast<std::size_t>(labels_[i]);
      const double* row = points_.row(i);
      if (first[c] == nullptr) first[c] = row;
      for (std::size_t j = 0; j < d; ++j) sums[c * d + j] += points_.weight[i] * (row[j] - first[c][j]);
    }
    for (std::size_t c = 0; c < k_; ++c) {
      if (first[c] == nullptr) continue;
      for (std::size_t j = 0; j < d; ++j) centers_[c * d + j] = first[c][j] + sums[c * d + j] / cluster_weights_[c];
    }
  }

  const Points points_;
  const std::size_t k_;
  std::vector<double> centers_;
  std::vector<std::int32_t> labels_, previous_;
  std::vector<double> squared_;
  std::vector<double> cluster_weights_;
  std::vector<std::size_t> sizes_;
};

bool better(const KMeansFit& a, const KMeansFit& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.error != b.error) return a.error < b.error;
  return a.restart < b.restart;
}

// The best runs so far, one per k, and how many k are done.
class Best {
 public:
  Best(std::size_t ks, int restarts) : runs_(ks * static_cast<std::size_t>(restarts)), left_(ks) {
    for (auto& left : left_) left = restarts;
  }

  void put(std::size_t k_index, KMeansFit run) {
    const std::size_t restarts = runs_.size() / left_.size();
    runs_[k_index * restarts + static_cast<std::size_t>(run.restart)] = std::move(run);
    if (--left_[k_index] == 0) ++done_;
  }

  std::size_t done() const { return done_; }

  std::vector<KMeansFit> take() {
    std::vector<KMeansFit> best;
    const auto restarts = static_cast<std::ptrdiff_t>(runs_.size() / left_.size());
    for (auto first = runs_.begin(); first != runs_.end(); first += restarts) {
      best.push_back(std::move(*std::min_element(first, first + restarts, better)));
    }
    return best;
  }

 private:
  std::vector<KMeansFit> runs_;
  std::vector<std::atomic<int>> left_;
  std::atomic<std::size_t> done_{0};
};

}  // namespace

KMeansFit kmeans_from(const Points& points, std::vector<double> centers, std::int64_t max_iter,
                      const BicTerms& terms) {
  KMeansFit fit;
  fit.k = centers.size() / points.d;
  fit.initial_centers = centers;
  Lloyd lloyd(points, std::move(centers));
  fit.iterations = lloyd.run(max_iter);
  fit.error = lloyd.error();
  fit.score = bic(fit.error, lloyd.cluster_weights(), points.d, terms);
  fit.centers = lloyd.take_centers();
  return fit;
}

std::vector<KMeansFit> kmeans(const Points& points, std::span<const std::size_t> ks,
                              const KMeansOptions& options, const Progress& progress) {
  if (ks.empty()) return {};
  // Large k first: they take longest, and the last tasks decide how long threads wait for one another.
  std::vector<std::size_t> order(ks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ks[a] > ks[b]; });

  const auto restarts = static_cast<std::size_t>(options.restarts);
  Best best(ks.size(), options.restarts);
  const auto one_run = [&](std::size_t task) {
    const std::size_t k_index = order[task / restarts];
    const auto restart = static_cast<int>(task % restarts);
    Stream random(options.seed, ks[k_index], static_cast<std::uint64_t>(restart));
    KMeansFit run = kmeans_from(points, seed_centers(points, ks[k_index], options.init, random),
                                options.max_iter, options.bic);
    run.restart = restart;
    best.put(k_index, std::move(run));
  };
  const auto tick = [&] { return !progress || progress(best.done()); };
  if (!parallel_for(ks.size() * restarts, options.threads, one_run, tick)) return {};
  return best.take();
}

void assign(const double* x, std::size_t n, std::size_t d, const double* centers, std::size_t k, int threads,
            std::int32_t* labels, double* squared_distances) {
  constexpr std::size_t kRowsPerTask = 4096;
  const CenterTable table(centers, k, d);
  parallel_for((n + kRowsPerTask - 1) / kRowsPerTask, threads, [&](std::size_t task) {
    const std::size_t first = task * kRowsPerTask;
    table.nearest(x + first * d, std::min(kRowsPerTask, n - first), labels + first, squared_distances + first);
  });
}

}  // namespace phasemark
