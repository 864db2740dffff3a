#include "kmeans/kmeans.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "kmeans/centers.hpp"
#include "kmeans/incremental.hpp"
#include "kmeans/kmeans_run.hpp"
#include "kmeans/lloyd.hpp"
#include "threads/parallel.hpp"
#include "kmeans/seeding.hpp"

namespace phasemark {

namespace {

KMeansFit finished(const WholePoints& points, Lloyd start, int restart, std::int64_t max_iter, const BicTerms& terms,
                   const std::function<void()>& pulse = {}) {
  KMeansRun run(points, std::move(start), restart);
  run.advance(max_iter, pulse);
  run.finish(terms);
  return run.take();
}

// One run to do: which k, which restart, how it starts.
struct Task {
  std::size_t k_index;
  int restart;
  Init init;
};

// All runs that stand alone, those of large k first: they take longest, and the last tasks decide how long threads wait
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

// Runs that stand alone.
std::vector<KMeansFit> restarted(const WholePoints& points, std::span<const std::size_t> ks,
                                 const KMeansOptions& options, const Progress& progress) {
  const std::vector<Task> tasks = plan(ks, options);
  Best best(ks.size(), tasks);
  const std::function<bool()> tick = [&] { return !progress || progress(best.done()); };
  const std::function<void()> pulse = pulse_of(tick);
  const auto run = [&](std::size_t index) {
    const Task& task = tasks[index];
    const std::size_t k = ks[task.k_index];
    Stream random(options.seed, k, static_cast<std::uint64_t>(task.restart));
    Lloyd start(points, seed_centers(points, k, task.init, random));
    best.put(task.k_index, finished(points, std::move(start), task.restart, options.max_iter, options.bic, pulse));
  };
  if (!parallel_for(tasks.size(), options.threads, run, tick)) return {};
  return best.take();
}

}  // namespace

KMeansFit kmeans_from(const Points& points, std::vector<double> centers, std::int64_t max_iter,
                      const BicTerms& terms) {
  const WholePoints whole(points);
  return finished(whole, Lloyd(whole, whole.scaled(std::move(centers))), 0, max_iter, terms);
}

std::vector<KMeansFit> kmeans(const Points& points, std::span<const std::size_t> ks,
                              const KMeansOptions& options, const Progress& progress) {
  if (ks.empty()) return {};
  const WholePoints whole(points);
  const auto run = options.init == Init::incremental ? incremental : restarted;
  return run(whole, ks, options, progress);
}

void assign(const double* x, std::size_t n, std::size_t d, const double* centers, std::size_t k, int threads,
            std::int32_t* labels, double* squared_distances) {
  constexpr std::size_t kRowsPerTask = 4096;
  const std::size_t width = padded(d);
  std::vector<double> rows(k * width);
  for (std::size_t c = 0; c < k; ++c) std::copy_n(centers + c * d, d, rows.data() + c * width);
  const CenterTable table(rows.data(), k, width);
  parallel_for((n + kRowsPerTask - 1) / kRowsPerTask, threads, [&](std::size_t task) {
    std::vector<double> row(width);
    for (std::size_t i = task * kRowsPerTask; i < std::min(n, (task + 1) * kRowsPerTask); ++i) {
      std::copy_n(x + i * d, d, row.begin());
      const Nearest found = table.nearest(row.data());
      labels[i] = found.index;
      squared_distances[i] = found.squared;
    }
  });
}

}  // namespace phasemark
