#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kmeans/centers.hpp"
#include "kmeans/whole.hpp"

namespace phasemark {

// Lloyd's algorithm from given centres: points go to the nearest centre (ties to the lowest index), centres
// to the weighted mean of their points, until nothing changes.
//
// Most distances are never computed (Hamerly, "Making k-means even faster", SDM 2010): each point carries an
// upper bound of the distance to its centre and a lower bound of that to any other. The bounds are widened by
// more than any rounding, so that the labels are those that all distances would give, ties included.
class Lloyd {
 public:
  Lloyd(const WholePoints& points, std::vector<double> centers);

  // Changes between two runs; each needs `squared`, and keeps it.
  void add_center(std::size_t at_point);
  // Without the two clusters whose union raises the error least (Ward, 1963), the first such pair on ties, but with
  // their union; the last centre takes the number of the one that goes.
  Lloyd joined() const;

  // At most `max_iter` updates of the centres, and more only while a cluster is without points. Returns
  // the number of updates.
  std::int64_t run(std::int64_t max_iter);

  // The sum of weight x squared distance, and from then on each point's squared distance.
  double error();
  std::span<const double> squared() const { return squared_; }

  std::size_t k() const { return centers_.size() / points_->d(); }
  const std::vector<double>& centers() const { return centers_; }
  // Shares of the weight.
  std::vector<double> cluster_shares() const;

 private:
  void join_closest();
  bool assign_first();
  bool assign_again(const std::vector<double>& drift);
  bool assign_nearest(const CenterTable& table, std::size_t n);
  void forget_bounds(std::size_t i);
  void move(std::size_t i, std::int32_t to);
  std::pair<std::size_t, std::size_t> closest_pair() const;
  bool fill_empty_clusters();
  std::size_t farthest_of_many() const;
  void measure();
  std::vector<double> update_centers();
  std::vector<double> half_gaps(const CenterTable& table) const;

  const WholePoints* points_;
  double slack_;  // relative; more than the rounding of a distance
  std::vector<double> centers_;
  std::vector<std::int32_t> labels_;  // -1 before the first assignment
  std::vector<double> upper_, lower_, squared_;
  std::vector<WholeSum> sums_;         // k x d
  std::vector<std::int64_t> weights_;  // of each cluster
  std::vector<std::size_t> sizes_;
  std::vector<char> changed_;  // clusters whose sums differ from their centre
  std::vector<std::size_t> doubtful_;  // of the assignment at hand
  std::vector<Nearest> nearest_;  // to these
};

}  // namespace phasemark
