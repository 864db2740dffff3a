#include "core/kmeans.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>

#include "core/centers.hpp"
#include "core/lloyd.hpp"
#include "core/parallel.hpp"
#include "core/seeding.hpp"

namespace phasemark {

namespace {

// A run that came to its end, and what it scored.
struct Run {
  KMeansFit fit;
  std::optional<Lloyd> clustering;
};

Run finished(const WholePoints& points, Lloyd clustering, std::int64_t max_iter, const BicTerms& terms) {
  Run run;
  run.fit.k = clustering.k();
  run.fit.initial_centers = points.unscaled(clustering.centers());
  run.fit.iterations = clustering.run(max_iter);
  run.fit.error = points.unscaled_error(clustering.error());
  run.fit.score = bic(run.fit.error, clustering.cluster_shares(), points.dims(), terms);
  run.fit.centers = points.unscaled(clustering.centers());
  run.clustering = std::move(clustering);
  return run;
}

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
  const auto run = [&](std::size_t index) {
    const Task& task = tasks[index];
    const std::size_t k = ks[task.k_index];
    Stream random(options.seed, k, static_cast<std::uint64_t>(task.restart));
    Lloyd start(points, seed_centers(points, k, task.init, random));
    KMeansFit fit = finished(points, std::move(start), options.max_iter, options.bic).fit;
    fit.restart = task.restart;
    best.put(task.k_index, std::move(fit));
  };
  const auto tick = [&] { return !progress || progress(best.done()); };
  if (!parallel_for(tasks.size(), options.threads, run, tick)) return {};
  return best.take();
}

// How a candidate for k grows out of the clustering for k - 1.
enum class Growth { add, swap, anew };

struct Candidate {
  Growth growth;
  int number;  // among those of its kind
};

std::vector<Candidate> candidates_for(std::size_t k, int restarts) {
  std::vector<Candidate> out;
  const auto several = [&](Growth growth) {
    for (int number = 0; number < restarts; ++number) out.push_back({growth, number});
  };
  several(Growth::add);
  if (k > 2) several(Growth::swap);
  if (k <= kFewClusters) several(Growth::anew);
  return out;
}

// The search for good centres: k = 1, 2 ..., each from the one before.
class Incremental {
 public:
  Incremental(const WholePoints& points, const KMeansOptions& options) : points_(points), options_(options) {
    Stream random(options.seed, 1, 0);
    best_ = finished(points_, Lloyd(points_, seed_centers(points_, 1, Init::sample, random)), options_.max_iter,
                     options_.bic);
  }

  const KMeansFit& fit() const { return best_.fit; }

  // To the next k; false when `tick` stopped the work.
  bool grow(const std::function<bool()>& tick) {
    const std::vector<Candidate> candidates = candidates_for(fit().k + 1, options_.restarts);
    std::optional<Lloyd> joined;
    if (fit().k > 1) {
      joined = best_.clustering;
      joined->join_closest();
    }
    std::optional<Run> best;
    std::mutex mutex;
    const auto body = [&](std::size_t index) {
      Lloyd begun = start(candidates[index], index, joined);
      Run run = finished(points_, std::move(begun), options_.max_iter, options_.bic);
      run.fit.restart = static_cast<int>(index);
      const std::lock_guard lock(mutex);
      if (!best || better(run.fit, best->fit)) best = std::move(run);
    };
    if (!parallel_for(candidates.size(), options_.threads, body, tick)) return false;
    best_ = std::move(*best);
    return true;
  }

 private:
  Lloyd start(const Candidate& candidate, std::size_t index, const std::optional<Lloyd>& joined) const {
    const std::size_t k = fit().k + 1;
    Stream random(options_.seed, k, index);
    if (candidate.growth == Growth::anew) {
      return Lloyd(points_, seed_centers(points_, k, Init::kmeans_plus_plus, random));
    }
    Lloyd clustering = candidate.growth == Growth::add ? *best_.clustering : *joined;
    // The first draws of the candidates are spread over all of the error.
    double u = (candidate.number + random.next()) / options_.restarts;
    while (clustering.k() < k) {
      clustering.add_center(draw_by_error(points_, clustering.squared(), u));
      u = random.next();
    }
    return clustering;
  }

  const WholePoints& points_;
  const KMeansOptions& options_;
  Run best_;
};

// The points for the search, where all are too many.
std::optional<WholePoints> few_points(const WholePoints& points, const KMeansOptions& options) {
  if (points.n() <= options.search_size) return {};
  return points.drawn(options.search_size, Stream(options.seed, 0, 0).next());
}

// The search on few points, then a run on all of them for each k, from the centres found.
std::vector<KMeansFit> incremental(const WholePoints& points, std::span<const std::size_t> ks,
                                   const KMeansOptions& options, const Progress& progress) {
  const std::size_t last = *std::max_element(ks.begin(), ks.end());
  const auto few = few_points(points, options);
  std::vector<KMeansFit> found(last + 1);
  std::atomic<std::size_t> done{0};
  const auto tick = [&] { return !progress || progress(done); };
  Incremental search(few ? *few : points, options);
  while (true) {
    found[search.fit().k] = search.fit();
    const auto passed = [&](std::size_t k) { return k <= search.fit().k; };
    if (!few) done = static_cast<std::size_t>(std::count_if(ks.begin(), ks.end(), passed));
    if (search.fit().k == last) break;
    if (!search.grow(tick)) return {};
  }
  std::vector<KMeansFit> fits(ks.size());
  std::vector<std::size_t> order(ks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ks[a] > ks[b]; });
  const auto refine = [&](std::size_t task) {
    const std::size_t i = order[task];
    fits[i] = found[ks[i]];
    if (!few) return;
    Lloyd start(points, points.scaled(fits[i].centers));
    const int restart = fits[i].restart;
    std::vector<double> initial = std::move(fits[i].initial_centers);
    fits[i] = finished(points, std::move(start), options.max_iter, options.bic).fit;
    fits[i].initial_centers = std::move(initial);
    fits[i].restart = restart;
    ++done;
  };
  if (!parallel_for(ks.size(), options.threads, refine, tick)) return {};
  return fits;
}

}  // namespace

KMeansFit kmeans_from(const Points& points, std::vector<double> centers, std::int64_t max_iter,
                      const BicTerms& terms) {
  const WholePoints whole(points);
  return finished(whole, Lloyd(whole, whole.scaled(std::move(centers))), max_iter, terms).fit;
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
