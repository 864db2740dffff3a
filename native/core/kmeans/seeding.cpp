#include "kmeans/seeding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "kmeans/centers.hpp"

namespace phasemark {

namespace {

// A point drawn with probability proportional to its weight.
std::size_t draw_by_weight(const WholePoints& points, Stream& random) {
  return Lots(points.weights()).draw(random.next());
}

std::vector<double> kmeans_plus_plus(const WholePoints& points, std::size_t k, Stream random) {
  KMeansPlusPlus chosen(points, random);
  while (chosen.k() < k) chosen.add();
  return chosen.centers();
}

std::vector<double> furthest(const WholePoints& points, std::size_t k, Stream& random) {
  std::vector<double> squared(points.n(), std::numeric_limits<double>::infinity()), to_last(points.n()), centers;
  std::size_t next = draw_by_weight(points, random);
  for (std::size_t c = 0; c < k; ++c) {
    const double* row = points.row(next);
    centers.insert(centers.end(), row, row + points.d());
    squared_distances(points.row(0), points.n(), points.d(), row, to_last.data());
    for (std::size_t i = 0; i < points.n(); ++i) squared[i] = std::min(squared[i], to_last[i]);
    next = static_cast<std::size_t>(std::max_element(squared.begin(), squared.end()) - squared.begin());
  }
  return centers;
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

Lots::Lots(std::span<const double> mass) { std::partial_sum(mass.begin(), mass.end(), std::back_inserter(sums_)); }

Lots::Lots(const WholePoints& points, std::span<const double> squared) : sums_(squared.size()) {
  double sum = 0;
  for (std::size_t i = 0; i < squared.size(); ++i) sums_[i] = sum += points.weight(i) * squared[i];
}

std::size_t Lots::draw(double u) const {
  const double total = sums_.back();
  auto found = std::upper_bound(sums_.begin(), sums_.end(), u * total);
  if (found == sums_.end()) found = std::lower_bound(sums_.begin(), sums_.end(), total);
  return static_cast<std::size_t>(found - sums_.begin());
}

KMeansPlusPlus::KMeansPlusPlus(const WholePoints& points, Stream random)
    : points_(&points), random_(random), squared_(points.n()), to_new_(points.n()), to_best_(points.n()) {
  const double* row = points.row(draw_by_weight(points, random_));
  squared_distances(points.row(0), points.n(), points.d(), row, squared_.data());
  centers_.assign(row, row + points.d());
}

void KMeansPlusPlus::add() {
  const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(k() + 1)));
  const Lots lots(*points_, squared_);
  std::size_t best = points_->n();
  double least = 0;
  for (int t = 0; t < candidates; ++t) {
    const std::size_t index = lots.draw(random_.next());
    squared_distances(points_->row(0), points_->n(), points_->d(), points_->row(index), to_new_.data());
    double error = 0;
    for (std::size_t i = 0; i < points_->n(); ++i) {
      to_new_[i] = std::min(to_new_[i], squared_[i]);
      error += points_->weight(i) * to_new_[i];
    }
    if (best != points_->n() && error >= least) continue;
    best = index;
    least = error;
    std::swap(to_best_, to_new_);
  }
  std::swap(squared_, to_best_);
  const double* row = points_->row(best);
  centers_.insert(centers_.end(), row, row + points_->d());
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
