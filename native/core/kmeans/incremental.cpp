#include "kmeans/incremental.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "threads/parallel.hpp"
#include "kmeans/seeding.hpp"

namespace phasemark {

namespace {

std::size_t finalists_of(std::size_t candidates) {
  const std::size_t share = (candidates + kCandidatesPerFinalist - 1) / kCandidatesPerFinalist;
  return std::min(candidates, std::max(kLeastFinalists, share));
}

// A run on all points from the centres that a search found.
KMeansFit refined(const WholePoints& points, KMeansFit found, const KMeansOptions& options,
                  const std::function<void()>& pulse) {
  KMeansRun run(points, Lloyd(points, points.scaled(found.centers)), found.restart);
  run.advance(options.max_iter, pulse);
  run.finish(options.bic);
  KMeansFit fit = run.take();
  fit.initial_centers = std::move(found.initial_centers);
  return fit;
}

}  // namespace

IncrementalSearch::IncrementalSearch(const WholePoints& points, const KMeansOptions& options)
    : all_(points), options_(options), size_(options.search_size) {
  draw_points();
  Stream random(options.seed, 1, 0);
  best_.emplace(this->points(), Lloyd(this->points(), seed_centers(this->points(), 1, Init::sample, random)), 0);
  best_->advance(options.max_iter);
  best_->finish(options.bic);
  for (int number = 0; number < options.restarts; ++number) {
    anew_.emplace_back(this->points(), Stream(options.seed, 0, 1 + static_cast<std::uint64_t>(number)));
  }
}

void IncrementalSearch::draw_points() {
  few_.reset();
  if (all_.n() > size_) few_ = all_.drawn(size_, Stream(options_.seed, 0, 0).next());
}

void IncrementalSearch::look_at_more_points() {
  const std::vector<double> centers = fit().centers;
  const int restart = fit().restart;
  size_ *= 2;
  anew_.clear();  // k is too large for them
  draw_points();
  best_.emplace(points(), Lloyd(points(), points().scaled(centers)), restart);
  best_->advance(options_.max_iter);
  best_->finish(options_.bic);
}

std::vector<IncrementalSearch::Candidate> IncrementalSearch::candidates() const {
  std::vector<Candidate> out;
  const auto several = [&](Growth growth) {
    for (int number = 0; number < options_.restarts; ++number) out.push_back({growth, number});
  };
  several(Growth::add);
  if (k() > 1) several(Growth::swap);
  if (k() < kFreshStarts) several(Growth::anew);
  return out;
}

bool IncrementalSearch::grow(const std::function<bool()>& tick) {
  if (few_ && k() * options_.search_size >= kClustersPerSearch * size_) look_at_more_points();
  const std::vector<Candidate> candidates = this->candidates();
  const Base best(points(), best_->clustering());
  std::optional<Base> joined;
  if (k() > 1) joined.emplace(points(), best.clustering.joined());
  std::vector<std::optional<KMeansRun>> runs(candidates.size());
  std::vector<std::pair<double, std::size_t>> order(candidates.size());
  const auto try_out = [&](std::size_t index) {
    runs[index].emplace(points(), start(candidates[index], index, best, joined), static_cast<int>(index));
    runs[index]->advance(std::min(kTrialUpdates, options_.max_iter));
    order[index] = {runs[index]->error(), index};
  };
  if (!parallel_for(candidates.size(), options_.threads, try_out, tick)) return false;
  std::sort(order.begin(), order.end());
  order.resize(finalists_of(order.size()));
  const auto complete = [&](std::size_t place) {
    KMeansRun& run = *runs[order[place].second];
    run.advance(options_.max_iter);
    run.finish(options_.bic);
  };
  if (!parallel_for(order.size(), options_.threads, complete, tick)) return false;
  const auto first = std::min_element(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return better(runs[a.second]->fit(), runs[b.second]->fit());
  });
  best_ = std::move(runs[first->second]);
  return true;
}

Lloyd IncrementalSearch::start(const Candidate& candidate, std::size_t index, const Base& best,
                               const std::optional<Base>& joined) {
  const std::size_t next = k() + 1;
  if (candidate.growth == Growth::anew) {
    KMeansPlusPlus& seeds = anew_[static_cast<std::size_t>(candidate.number)];
    while (seeds.k() < next) seeds.add();
    return Lloyd(points(), seeds.centers());
  }
  const Base& base = candidate.growth == Growth::add ? best : *joined;
  Lloyd clustering = base.clustering;
  Stream random(options_.seed, next, index);
  // The first draws of the candidates are spread over all of the error.
  clustering.add_center(base.lots.draw((candidate.number + random.next()) / options_.restarts));
  while (clustering.k() < next) {
    clustering.add_center(Lots(points(), clustering.squared()).draw(random.next()));
  }
  return clustering;
}

std::vector<KMeansFit> incremental(const WholePoints& points, std::span<const std::size_t> ks,
                                   const KMeansOptions& options, const Progress& progress) {
  const std::size_t last = *std::max_element(ks.begin(), ks.end());
  std::vector<KMeansFit> fits(ks.size());
  std::vector<std::size_t> left;  // to refine; the largest k, which take longest, first
  std::atomic<std::size_t> done{0};
  const std::function<bool()> tick = [&] { return !progress || progress(done); };
  const std::function<void()> pulse = pulse_of(tick);
  IncrementalSearch search(points, options);
  while (true) {
    for (std::size_t i = 0; i < ks.size(); ++i) {
      if (ks[i] != search.k()) continue;
      fits[i] = search.fit();
      if (search.on_all()) {
        ++done;
      } else {
        left.insert(left.begin(), i);
      }
    }
    if (search.k() == last) break;
    if (!search.grow(tick)) return {};
  }
  const auto refine = [&](std::size_t task) {
    KMeansFit& fit = fits[left[task]];
    fit = refined(points, std::move(fit), options, pulse);
    ++done;
  };
  if (!parallel_for(left.size(), options.threads, refine, tick)) return {};
  return fits;
}

}  // namespace phasemark
