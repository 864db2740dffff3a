#include "kmeans/kmeans.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

using Matrix = In<double, nb::ndim<2>>;
using Vector = In<double, nb::ndim<1>>;

Points points_of(const Matrix& x, const Vector& weights) {
  return {x.data(), weights.data(), x.shape(0), x.shape(1)};
}

Init init_named(const std::string& name) {
  if (name == "incremental") return Init::incremental;
  if (name == "furthest") return Init::furthest;
  if (name == "sample") return Init::sample;
  if (name == "kmeans++") return Init::kmeans_plus_plus;
  throw std::invalid_argument("init");
}

Out<double> matrix(std::vector<double> values, std::size_t rows) {
  const std::size_t columns = rows ? values.size() / rows : 0;
  return taken_as<Out<double>>(std::move(values), {rows, columns});
}

nb::dict as_dict(const KMeansFit& fit) {
  nb::dict out;
  out["k"] = fit.k;
  out["restart"] = fit.restart;
  out["iterations"] = fit.iterations;
  out["error"] = fit.error;
  out["score"] = fit.score;
  out["centers"] = matrix(fit.centers, fit.k);
  out["initial_centers"] = matrix(fit.initial_centers, fit.k);
  return out;
}

// Asks for the interpreter's lock, sees to Ctrl-C, tells how far the work is.
class Report {
 public:
  explicit Report(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(std::size_t done) {
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress_.is_none() && done != said_) progress_(done);
    said_ = done;
    return true;
  }

 private:
  nb::object progress_;
  std::size_t said_ = 0;
};

nb::list fit_kmeans(Matrix x, Vector weights, const std::vector<std::size_t>& ks, std::uint64_t seed,
                    int restarts, std::int64_t max_iter, const std::string& init, double n, double variance_floor,
                    int threads, nb::object progress, std::size_t search_size) {
  const KMeansOptions options{seed,    restarts,    max_iter, init_named(init),
                              threads, search_size, {n, variance_floor}};
  Report report(std::move(progress));
  std::vector<KMeansFit> fits;
  {
    nb::gil_scoped_release release;
    fits = kmeans(points_of(x, weights), ks, options, [&](std::size_t done) { return report(done); });
  }
  nb::list out;
  for (const KMeansFit& fit : fits) out.append(as_dict(fit));
  return out;
}

nb::dict fit_from(Matrix x, Vector weights, Matrix centers, std::int64_t max_iter, double n, double variance_floor) {
  std::vector<double> start(centers.data(), centers.data() + centers.size());
  KMeansFit fit;
  {
    nb::gil_scoped_release release;
    fit = kmeans_from(points_of(x, weights), std::move(start), max_iter, {n, variance_floor});
  }
  return as_dict(fit);
}

nb::tuple assign_points(Matrix x, Matrix centers, int threads) {
  const std::size_t n = x.shape(0);
  auto labels = std::make_unique<std::int32_t[]>(n);
  auto squared = std::make_unique<double[]>(n);
  {
    nb::gil_scoped_release release;
    assign(x.data(), n, x.shape(1), centers.data(), centers.shape(0), threads, labels.get(), squared.get());
  }
  return nb::make_tuple(own(std::move(labels), {n}), own(std::move(squared), {n}));
}

double score(double error, Vector cluster_weights, std::size_t dims, double n, double variance_floor) {
  return bic(error, {cluster_weights.data(), cluster_weights.shape(0)}, dims, {n, variance_floor});
}

}  // namespace

void bind_kmeans(nb::module_& m) {
  m.def("kmeans", &fit_kmeans, nb::arg("x"), nb::arg("weights"), nb::arg("ks"), nb::arg("seed"),
        nb::arg("restarts"), nb::arg("max_iter"), nb::arg("init"), nb::arg("n"), nb::arg("variance_floor"),
        nb::arg("threads"), nb::arg("progress").none() = nb::none(), nb::arg("search_size") = kSearchSize);
  m.def("kmeans_from", &fit_from, nb::arg("x"), nb::arg("weights"), nb::arg("centers"), nb::arg("max_iter"),
        nb::arg("n"), nb::arg("variance_floor"));
  m.def("assign", &assign_points, nb::arg("x"), nb::arg("centers"), nb::arg("threads"));
  m.def("bic", &score, nb::arg("error"), nb::arg("cluster_weights"), nb::arg("dims"), nb::arg("n"),
        nb::arg("variance_floor"));
}

}  // namespace phasemark
