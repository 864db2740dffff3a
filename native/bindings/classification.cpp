#include "classification/classification.hpp"

#include <nanobind/stl/vector.h>

#include <span>
#include <stdexcept>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

class Classifier {
 public:
  Classifier(In<double, nb::ndim<2>> rows, In<std::int64_t, nb::ndim<1>> lengths)
      : points_(std::vector<double>(rows.data(), rows.data() + rows.size()), rows.shape(1),
                {lengths.data(), lengths.shape(0)}) {}

  std::size_t n() const { return points_.n(); }
  std::size_t distinct(std::size_t limit) const { return points_.distinct(limit); }

  // (k, score, weighted squared error) of each.
  nb::list fit(const std::vector<std::size_t>& ks, std::uint64_t seed, int restarts, std::int64_t max_iter,
               int threads) {
    {
      nb::gil_scoped_release release;
      fits_ = points_.fit(ks, {seed, restarts, max_iter, Init::incremental, threads, kSearchSize, {}}, [](std::size_t) { return see_signals(); });
    }
    nb::list out;
    for (const KMeansFit& fit : fits_) out.append(nb::make_tuple(fit.k, fit.score, fit.error));
    return out;
  }

  // Takes the clustering for k; returns the number of its phases.
  std::size_t choose(std::size_t k, int threads) {
    for (const KMeansFit& fit : fits_) {
      if (fit.k != k) continue;
      nb::gil_scoped_release release;
      phases_ = points_.phases(fit.centers, threads);
      return phases_.k;
    }
    throw std::out_of_range("k");
  }

  const std::vector<std::int32_t>& labels() const { return phases_.labels; }
  const std::vector<double>& distances() const { return phases_.distances; }

  // (interval, phase, weight), by phase.
  nb::list points() const {
    nb::list out;
    for (const auto& point : points_.points(phases_)) {
      out.append(nb::make_tuple(point.interval, point.phase, point.weight));
    }
    return out;
  }

 private:
  Classification points_;
  std::vector<KMeansFit> fits_;
  Classification::Phases phases_;
};

}  // namespace

void bind_classification(nb::module_& m) {
  nb::class_<Classifier>(m, "Classifier")
      .def(nb::init<In<double, nb::ndim<2>>, In<std::int64_t, nb::ndim<1>>>(), nb::arg("rows"), nb::arg("lengths"))
      .def_prop_ro("n", &Classifier::n)
      .def("distinct", &Classifier::distinct, nb::arg("limit"))
      .def("fit", &Classifier::fit, nb::arg("ks"), nb::arg("seed"), nb::arg("restarts"), nb::arg("max_iter"),
           nb::arg("threads"))
      .def("choose", &Classifier::choose, nb::arg("k"), nb::arg("threads"))
      .def("labels", &Classifier::labels)
      .def("distances", &Classifier::distances)
      .def("points", &Classifier::points);
}

}  // namespace phasemark
