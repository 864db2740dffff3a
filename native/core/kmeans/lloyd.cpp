#include "kmeans/lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "numbers/wide.hpp"

namespace phasemark {

namespace {

constexpr double kUnitRoundoff = 0x1.0p-53;
// One addition or subtraction of bounds rounds by less.
constexpr double kStep = 4 * kUnitRoundoff;
// Covers squares that vanish; coordinates are whole numbers.
constexpr double kTiny = 0x1.0p-400;

// For each entry the largest of all others; 0 where there is none.
std::vector<double> largest_of_others(const std::vector<double>& values) {
  const auto largest = std::max_element(values.begin(), values.end());
  double next = 0;
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (value != largest) next = std::max(next, *value);
  }
  std::vector<double> out(values.size(), *largest);
  out[static_cast<std::size_t>(largest - values.begin())] = next;
  return out;
}

// By how much bounds of a cluster's points give way, and half the distance to the nearest other centre.
struct Slack {
  double drift, rivals_drift, half_gap;
};

std::vector<Slack> slacks_of(const std::vector<double>& drift, const std::vector<double>& half_gaps) {
  const std::vector<double> rivals_drift = largest_of_others(drift);
  std::vector<Slack> out;
  for (std::size_t c = 0; c < drift.size(); ++c) out.push_back({drift[c], rivals_drift[c], half_gaps[c]});
  return out;
}

// Every bound gives way by as much as centres moved, the lower one by the largest move of another. Writes the
// points whose bounds then leave their centre in doubt, and returns their number.
PHASEMARK_WIDE
std::size_t widen(const Slack* slacks, const std::int32_t* labels, std::size_t n, double* upper, double* lower,
                  std::size_t* doubtful) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Slack& slack = slacks[labels[i]];
    upper[i] = (upper[i] + slack.drift) * (1 + kStep);
    lower[i] = lower[i] * (1 - kStep) - slack.rivals_drift * (1 + kStep);
    doubtful[found] = i;
    found += !(upper[i] < std::max(lower[i], slack.half_gap));
  }
  return found;
}

// Bounds from squared distances to the nearest centre and to the second nearest.
struct Bounds {
  double slack;  // relative

  double upper(double squared) const { return std::sqrt(squared) * (1 + slack) + kTiny; }
  double lower(double squared) const { return std::sqrt(squared) * (1 - slack); }
};

// Makes the upper bounds of the points `doubtful` exact; keeps, of these, those still in doubt and returns their number.
PHASEMARK_WIDE
std::size_t tighten(const double* rows, std::size_t d, const double* centers, const Slack* slacks,
                    const std::int32_t* labels, Bounds bounds, double* upper, const double* lower,
                    std::size_t* doubtful, std::size_t n) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < n; ++at) {
    const std::size_t i = doubtful[at];
    const auto label = static_cast<std::size_t>(labels[i]);
    upper[i] = bounds.upper(squared_distance(rows + i * d, centers + label * d, d));
    doubtful[kept] = i;
    kept += !(upper[i] < std::max(lower[i], slacks[label].half_gap));
  }
  return kept;
}

PHASEMARK_WIDE
void bound(const Nearest* nearest, const std::size_t* chosen, std::size_t n, Bounds bounds, double* upper,
           double* lower) {
  for (std::size_t at = 0; at < n; ++at) {
    upper[chosen[at]] = bounds.upper(nearest[at].squared);
    lower[chosen[at]] = bounds.lower(nearest[at].second);
  }
}

}  // namespace

// A sum of d squares is off by at most (d + 2) roundings; its root by half of that. Four times as much
// leaves room for the comparison of two such sums.
Lloyd::Lloyd(const WholePoints& points, std::vector<double> centers)
    : points_(&points),
      slack_(4 * static_cast<double>(points.d() + 4) * kUnitRoundoff),
      centers_(std::move(centers)),
      labels_(points.n(), -1),
      upper_(points.n()),
      lower_(points.n()),
      squared_(points.n()),
      sums_(centers_.size()),
      weights_(k()),
      sizes_(k()),
      changed_(k()) {}

void Lloyd::add_center(std::size_t at_point) {
  const std::size_t d = points_->d();
  const double* place = points_->row(at_point);
  const auto added = static_cast<std::int32_t>(k());
  centers_.insert(centers_.end(), place, place + d);
  sums_.resize(centers_.size());
  weights_.push_back(0);
  sizes_.push_back(0);
  changed_.push_back(0);
  const Bounds bounds{slack_};
  std::vector<double> to_place(points_->n());
  squared_distances(points_->row(0), points_->n(), d, place, to_place.data());
  for (std::size_t i = 0; i < points_->n(); ++i) {
    const double squared = to_place[i];
    if (squared < squared_[i]) {
      upper_[i] = bounds.upper(squared);
      lower_[i] = bounds.lower(squared_[i]);
      move(i, added);
      squared_[i] = squared;
    } else {
      lower_[i] = std::min(lower_[i], bounds.lower(squared));
    }
  }
}

Lloyd Lloyd::joined() const {
  Lloyd out = *this;
  out.join_closest();
  return out;
}

void Lloyd::join_closest() {
  const auto [kept, gone] = closest_pair();
  const std::size_t d = points_->d(), last = k() - 1;
  for (std::size_t i = 0; i < points_->n(); ++i) {
    const auto label = static_cast<std::size_t>(labels_[i]);
    if (label == gone) {
      labels_[i] = static_cast<std::int32_t>(kept);
      forget_bounds(i);
    } else if (label == last) {
      labels_[i] = static_cast<std::int32_t>(gone);
    }
  }
  for (std::size_t j = 0; j < d; ++j) {
    sums_[kept * d + j] += sums_[gone * d + j];
    sums_[gone * d + j] = sums_[last * d + j];
    centers_[gone * d + j] = centers_[last * d + j];
  }
  weights_[kept] += weights_[gone];
  sizes_[kept] += sizes_[gone];
  weights_[gone] = weights_[last];
  sizes_[gone] = sizes_[last];
  changed_[gone] = changed_[last];
  centers_.resize(last * d);
  sums_.resize(last * d);
  weights_.resize(last);
  sizes_.resize(last);
  changed_.resize(last);
  std::vector<char> others(last);
  std::swap(changed_, others);
  changed_[kept] = 1;
  const std::vector<double> drift = update_centers();
  std::swap(changed_, others);
  changed_[kept] = 0;
  assign_again(drift);
  measure();
}

std::int64_t Lloyd::run(std::int64_t max_iter) {
  bool changed = labels_.front() < 0 ? assign_first() : std::count(changed_.begin(), changed_.end(), 1) != 0;
  for (std::int64_t iteration = 0;; ++iteration) {
    const bool moved = fill_empty_clusters();
    if (!moved && (iteration >= max_iter || !changed)) return iteration;
    changed = assign_again(update_centers());
  }
}

double Lloyd::error() {
  measure();
  double sum = 0;
  for (std::size_t i = 0; i < squared_.size(); ++i) sum += points_->weight(i) * squared_[i];
  return sum;
}

std::vector<double> Lloyd::cluster_shares() const {
  std::vector<double> shares;
  for (const std::int64_t weight : weights_) shares.push_back(static_cast<double>(weight) / points_->total_weight());
  return shares;
}

bool Lloyd::assign_first() {
  doubtful_.resize(points_->n());
  std::iota(doubtful_.begin(), doubtful_.end(), 0);
  assign_nearest(CenterTable(centers_.data(), k(), points_->d()), points_->n());
  return true;
}

bool Lloyd::assign_again(const std::vector<double>& drift) {
  const CenterTable table(centers_.data(), k(), points_->d());
  const std::vector<Slack> slacks = slacks_of(drift, half_gaps(table));
  doubtful_.resize(points_->n());
  std::size_t doubtful =
      widen(slacks.data(), labels_.data(), points_->n(), upper_.data(), lower_.data(), doubtful_.data());
  doubtful = tighten(points_->row(0), points_->d(), centers_.data(), slacks.data(), labels_.data(), Bounds{slack_},
                     upper_.data(), lower_.data(), doubtful_.data(), doubtful);
  return assign_nearest(table, doubtful);
}

// Of the first `n` of doubtful_; whether any of them changed its cluster.
bool Lloyd::assign_nearest(const CenterTable& table, std::size_t n) {
  nearest_.resize(points_->n());
  table.nearest(points_->row(0), doubtful_.data(), n, nearest_.data());
  bound(nearest_.data(), doubtful_.data(), n, Bounds{slack_}, upper_.data(), lower_.data());
  bool changed = false;
  for (std::size_t at = 0; at < n; ++at) {
    const std::size_t i = doubtful_[at];
    if (nearest_[at].index == labels_[i]) continue;
    move(i, nearest_[at].index);
    changed = true;
  }
  return changed;
}

void Lloyd::forget_bounds(std::size_t i) {
  upper_[i] = std::numeric_limits<double>::infinity();
  lower_[i] = 0;
}

void Lloyd::move(std::size_t i, std::int32_t to) {
  const std::size_t d = points_->d();
  const double* row = points_->row(i);
  const auto weight = static_cast<std::int64_t>(points_->weight(i));
  const auto add = [&](std::int32_t cluster, std::int64_t signed_weight) {
    const auto c = static_cast<std::size_t>(cluster);
    for (std::size_t j = 0; j < d; ++j) {
      sums_[c * d + j] += static_cast<WholeSum>(signed_weight) * static_cast<std::int64_t>(row[j]);
    }
    weights_[c] += signed_weight;
    sizes_[c] += signed_weight > 0 ? 1 : std::size_t(-1);
    changed_[c] = 1;
  };
  if (labels_[i] >= 0) add(labels_[i], -weight);
  add(to, weight);
  labels_[i] = to;
}

bool Lloyd::fill_empty_clusters() {
  bool moved = false;
  for (std::size_t c = 0; c < k(); ++c) {
    if (sizes_[c] != 0) continue;
    if (!moved) measure();
    const std::size_t far = farthest_of_many();
    if (far == points_->n()) break;
    move(far, static_cast<std::int32_t>(c));
    squared_[far] = 0;
    moved = true;
  }
  // The bounds know nothing of these moves.
  for (std::size_t i = 0; moved && i < points_->n(); ++i) forget_bounds(i);
  return moved;
}

// The point farthest from its centre, earliest on ties, among those that can leave a cluster without
// emptying it; n when every point sits on its centre.
std::size_t Lloyd::farthest_of_many() const {
  std::size_t best = points_->n();
  double distance = 0;
  for (std::size_t i = 0; i < points_->n(); ++i) {
    if (squared_[i] > distance && sizes_[static_cast<std::size_t>(labels_[i])] > 1) {
      best = i;
      distance = squared_[i];
    }
  }
  return best;
}

void Lloyd::measure() {
  squared_distances(points_->row(0), points_->n(), points_->d(), centers_.data(), labels_.data(), squared_.data());
}

std::vector<double> Lloyd::update_centers() {
  const std::size_t d = points_->d();
  std::vector<double> drift(k());
  std::vector<double> before(d);
  for (std::size_t c = 0; c < k(); ++c) {
    if (!changed_[c]) continue;
    changed_[c] = 0;
    if (sizes_[c] == 0) continue;
    double* center = centers_.data() + c * d;
    std::copy_n(center, d, before.begin());
    for (std::size_t j = 0; j < d; ++j) center[j] = mean(sums_[c * d + j], weights_[c]);
    drift[c] = Bounds{slack_}.upper(squared_distance(before.data(), center, d));
  }
  return drift;
}

std::pair<std::size_t, std::size_t> Lloyd::closest_pair() const {
  const std::size_t d = points_->d();
  std::pair<std::size_t, std::size_t> pair{0, 1};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < k(); ++a) {
    for (std::size_t b = a + 1; b < k(); ++b) {
      const auto wa = static_cast<double>(weights_[a]), wb = static_cast<double>(weights_[b]);
      if (wa + wb == 0) continue;
      const double squared = squared_distance(centers_.data() + a * d, centers_.data() + b * d, d);
      const double rise = squared * (wa * wb / (wa + wb));
      if (rise < least) {
        least = rise;
        pair = {a, b};
      }
    }
  }
  return pair;
}

// Half the distance from each centre to the nearest other one.
std::vector<double> Lloyd::half_gaps(const CenterTable& table) const {
  std::vector<double> gaps(k());
  for (std::size_t c = 0; c < k(); ++c) {
    const Nearest nearest = table.nearest(centers_.data() + c * points_->d());
    gaps[c] = Bounds{slack_}.lower(nearest.second) / 2;
  }
  return gaps;
}

}  // namespace phasemark
