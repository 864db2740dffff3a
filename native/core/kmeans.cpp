#include "core/kmeans.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
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
  if (a.error != b.error) return a.error < b.error;
  if (a.score != b.score) return a.score > b.score;
  return a.restart < b.restart;
}

// One run to do: which k, which restart, how it starts.
struct Task {
  std::size_t k_index;
  int restart;
  Init init;
};

// All runs, those of large k first: they take longest, and the last tasks decide how long threads wait
// for one another.
std::vector<Task> plan(std::span<const std::size_t> ks, const KMeansOptions& options) {
  std::vector<std::size_t> order(ks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ks[a] > ks[b]; });
  std::vector<Task> tasks;
  for (const std::size_t k_index : order) {
    const bool more = options.init == Init::kmeans_plus_plus && ks[k_index] <= kFewClusters;
    const int runs = options.restarts * (more ? 3 : 1);
    for (int restart = 0; restart < runs; ++restart) {
      const bool at_random = more && restart >= 2 * options.restarts;
      tasks.push_back({k_index, restart, at_random ? Init::sample : options.init});
    }
  }
  return tasks;
}

// The best run of each k so far, and how many k are done. What is best does not depend on the order in
// which runs arrive.
class Best {
 public:
  Best(std::size_t ks, const std::vector<Task>& tasks) : fits_(ks), left_(ks) {
    for (const Task& task : tasks) ++left_[task.k_index];
  }

  void put(std::size_t k_index, KMeansFit run) {
    const std::lock_guard lock(mutex_);
    KMeansFit& fit = fits_[k_index];
    if (fit.k == 0 || better(run, fit)) fit = std::move(run);
    if (--left_[k_index] == 0) ++done_;
  }

  std::size_t done() const { return done_; }
  std::vector<KMeansFit> take() { return std::move(fits_); }

 private:
  std::vector<KMeansFit> fits_;
  std::vector<int> left_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
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
  const std::vector<Task> tasks = plan(ks, options);
  Best best(ks.size(), tasks);
  const auto run = [&](std::size_t index) {
    const Task& task = tasks[index];
    const std::size_t k = ks[task.k_index];
    Stream random(options.seed, k, static_cast<std::uint64_t>(task.restart));
    KMeansFit fit =
        kmeans_from(points, seed_centers(points, k, task.init, random), options.max_iter, options.bic);
    fit.restart = task.restart;
    best.put(task.k_index, std::move(fit));
  };
  const auto tick = [&] { return !progress || progress(best.done()); };
  if (!parallel_for(tasks.size(), options.threads, run, tick)) return {};
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
