#include "core/seeding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/centers.hpp"

namespace phasemark {

namespace {

// An index drawn with probability proportional to `mass`, whose sum is `total`: the first at which the
// running sum exceeds u x total (the last with mass, where rounding leaves none).
std::size_t draw(std::span<const double> mass, double total, double u) {
  const double target = u * total;
  double running = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] <= 0) continue;
    last = i;
    running += mass[i];
    if (running > target) break;
  }
  return last;
}

// Centres chosen among the points, one after the other, with every point's squared distance to the
// nearest of them.
class Chosen {
 public:
  explicit Chosen(const WholePoints& points)
      : points_(points), squared_(points.n(), std::numeric_limits<double>::infinity()) {}

  void add(std::size_t index) {
    to(index, squared_);
    const double* row = points_.row(index);
    centers_.insert(centers_.end(), row, row + points_.d());
  }

  // The index, drawn with probability proportional to weight x squared distance.
  std::size_t draw_far(double u) const { return draw_by_error(points_, squared_, u); }

  // The error that is left when `index` is added.
  double error_with(std::size_t index) {
    trial_ = squared_;
    to(index, trial_);
    double total = 0;
    for (std::size_t i = 0; i < points_.n(); ++i) total += points_.weight(i) * trial_[i];
    return total;
  }

  std::size_t farthest() const {
    return static_cast<std::size_t>(std::max_element(squared_.begin(), squared_.end()) - squared_.begin());
  }

  std::vector<double> take() { return std::move(centers_); }

 private:
  // Lowers each squared distance to that to point `index`, where that is nearer.
  void to(std::size_t index, std::vector<double>& squared) {
    to_index_.resize(points_.n());
    squared_distances(points_.row(0), points_.n(), points_.d(), points_.row(index), to_index_.data());
    for (std::size_t i = 0; i < points_.n(); ++i) squared[i] = std::min(squared[i], to_index_[i]);
  }

  const WholePoints& points_;
  std::vector<double> squared_, trial_, to_index_;
  std::vector<double> centers_;
};

std::size_t draw_by_weight(const WholePoints& points, Stream& random) {
  return draw(points.weights(), points.total_weight(), random.next());
}

std::vector<double> kmeans_plus_plus(const WholePoints& points, std::size_t k, Stream& random) {
  const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(k)));
  Chosen chosen(points);
  chosen.add(draw_by_weight(points, random));
  for (std::size_t c = 1; c < k; ++c) {
    std::size_t best = points.n();
    double least = 0;
    for (int t = 0; t < candidates; ++t) {
      const std::size_t index = chosen.draw_far(random.next());
      const double error = chosen.error_with(index);
      if (best == points.n() || error < least) {
        best = index;
        least = error;
      }
    }
    chosen.add(best);
  }
  return chosen.take();
}

std::vector<double> furthest(const WholePoints& points, std::size_t k, Stream& random) {
  Chosen chosen(points);
  chosen.add(draw_by_weight(points, random));
  for (std::size_t c = 1; c < k; ++c) chosen.add(chosen.farthest());
  return chosen.take();
}

// The first k of a random order (Fisher and Yates), which needs no more than k draws.
std::vector<double> sample(const WholePoints& points, std::size_t k, Stream& random) {
  std::vector<std::size_t> order(points.n());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> centers;
  for (std::size_t c = 0; c < k; ++c) {
    const auto ahead = static_cast<std::size_t>(random.next() * static_cast<double>(points.n() - c));
    std::swap(order[c], order[c + ahead]);
    const double* row = points.row(order[c]);
    centers.insert(centers.end(), row, row + points.d());
  }
  return centers;
}

}  // namespace

std::size_t draw_by_error(const WholePoints& points, std::span<const double> squared, double u) {
  std::vector<double> mass(points.n());
  double total = 0;
  for (std::size_t i = 0; i < points.n(); ++i) total += mass[i] = points.weight(i) * squared[i];
  return draw(mass, total, u);
}

std::vector<double> seed_centers(const WholePoints& points, std::size_t k, Init init, Stream& random) {
  switch (init) {
    case Init::furthest:
      return furthest(points, k, random);
    case Init::sample:
      return sample(points, k, random);
    default:
      return kmeans_plus_plus(points, k, random);
  }
}

}  // namespace phasemark
