#include "multinomial/durations.hpp"
#include "multinomial/em.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"

namespace phasemark {

namespace {

using Doubles = In<double, nb::ndim<1>>;
using Longs = In<std::int64_t, nb::ndim<1>>;
using Ints = In<std::int32_t, nb::ndim<1>>;
using Matrix = In<double, nb::ndim<2>>;

Evidence evidence_of(const Longs& indptr, const Ints& indices, const Doubles& values, std::size_t columns,
                     const Longs& lengths) {
  return {indptr.data(), indices.data(),      values.data(),
          indptr.shape(0) - 1, columns, {lengths.data(), lengths.shape(0)}};
}

Chain chain_of(const Doubles& start, const Matrix& moves, const Matrix& leaving, bool ordered) {
  Chain chain(start.shape(0), ordered);
  chain.longest = leaving.shape(1);
  chain.leaving.assign(leaving.data(), leaving.data() + leaving.size());
  chain.start.assign(start.data(), start.data() + start.shape(0));
  if (ordered) chain.moves.assign(moves.data(), moves.data() + moves.size());
  return chain;
}

nb::dict as_dict(EmFit fit, std::size_t columns) {
  const std::size_t n = fit.chain.states;
  nb::dict out;
  out["restart"] = fit.restart;
  out["iterations"] = fit.iterations;
  out["converged"] = fit.converged;
  out["log_likelihoods"] = taken(std::move(fit.log_likelihoods));
  out["start"] = taken(std::move(fit.chain.start));
  out["moves"] = taken_as<Out<double>>(std::move(fit.chain.moves), {fit.chain.ordered ? n : 0, n});
  const std::size_t longest = fit.chain.longest;
  out["leaving"] = taken_as<Out<double>>(std::move(fit.chain.leaving), {n, longest});
  out["theta"] = taken_as<Out<double>>(std::move(fit.theta), {n, columns});
  return out;
}

nb::dict fit(Longs indptr, Ints indices, Doubles values, Longs lengths, Doubles background, std::size_t states,
             bool ordered, std::uint64_t seed, int restarts, double smoothing, double tolerance,
             std::int64_t max_iter, int threads, nb::object progress) {
  const std::size_t columns = background.shape(0);
  const Evidence evidence = evidence_of(indptr, indices, values, columns, lengths);
  const EmOptions options{states, ordered, seed, restarts, smoothing, tolerance, max_iter, threads};
  EmResult result;
  std::size_t said = 0;
  {
    nb::gil_scoped_release release;
    result = expectation_maximisation(evidence, {background.data(), columns}, options, [&](std::size_t done) {
      nb::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none() && done != said) progress(done);
      said = done;
      return true;
    });
  }
  nb::dict out = as_dict(std::move(result.best), columns);
  out["restarts"] = taken(std::move(result.restarts));
  return out;
}

nb::dict fit_from(Longs indptr, Ints indices, Doubles values, Longs lengths, Doubles background, Doubles start,
                  Matrix moves, Matrix leaving, Matrix theta, bool ordered, double smoothing, double prior,
                  double tolerance, std::int64_t max_iter) {
  const std::size_t columns = background.shape(0);
  const Evidence evidence = evidence_of(indptr, indices, values, columns, lengths);
  const EmOptions options{start.shape(0), ordered, 0, 1, smoothing, tolerance, max_iter, 1, prior};
  EmFit found;
  {
    nb::gil_scoped_release release;
    found = em_from(evidence, {background.data(), columns}, options, chain_of(start, moves, leaving, ordered),
                    Emissions(theta.data(), columns, start.shape(0)), see_signals);
  }
  return as_dict(std::move(found), columns);
}

nb::tuple infer(Longs indptr, Ints indices, Doubles values, Longs lengths, Doubles start, Matrix moves, Matrix leaving,
                Matrix theta, bool ordered) {
  const std::size_t n = start.shape(0), width = padded_states(n);
  const Evidence evidence = evidence_of(indptr, indices, values, theta.shape(1), lengths);
  auto path = std::make_unique<std::int32_t[]>(evidence.rows);
  auto posteriors = std::make_unique<double[]>(evidence.rows * n);
  auto likelihoods = std::make_unique<double[]>(evidence.rows * n);
  Expected expected;
  {
    nb::gil_scoped_release release;
    const Chain chain = chain_of(start, moves, leaving, ordered);
    std::vector<double> wide(evidence.rows * width);
    Emissions(theta.data(), theta.shape(1), n).log_likelihoods(evidence, wide.data());
    expect(chain, wide.data(), evidence, expected);
    most_likely(chain, wide.data(), evidence, path.get());
    for (std::size_t t = 0; t < evidence.rows; ++t) {
      std::copy_n(wide.data() + t * width, n, likelihoods.get() + t * n);
      std::copy_n(expected.posteriors.data() + t * width, n, posteriors.get() + t * n);
    }
  }
  return nb::make_tuple(expected.log_likelihood, own(std::move(posteriors), {evidence.rows, n}),
                        own(std::move(path), {evidence.rows}), own(std::move(likelihoods), {evidence.rows, n}));
}

nb::tuple foretold(Longs indptr, Ints indices, Doubles values, Longs lengths, Doubles start, Matrix moves,
                   Matrix leaving, Matrix theta) {
  const std::size_t n = start.shape(0);
  const Evidence evidence = evidence_of(indptr, indices, values, theta.shape(1), lengths);
  auto following = std::make_unique<double[]>(evidence.rows * n);
  auto until_change = std::make_unique<double[]>(evidence.rows);
  {
    nb::gil_scoped_release release;
    std::vector<double> wide(evidence.rows * padded_states(n));
    Emissions(theta.data(), theta.shape(1), n).log_likelihoods(evidence, wide.data());
    foretell(chain_of(start, moves, leaving, true), wide.data(), evidence, following.get(), until_change.get());
  }
  return nb::make_tuple(own(std::move(following), {evidence.rows, n}), own(std::move(until_change), {evidence.rows}));
}

}  // namespace

void bind_multinomial(nb::module_& m) {
  m.def("fit_multinomial", &fit, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("lengths"),
        nb::arg("background"), nb::arg("states"), nb::arg("ordered"), nb::arg("seed"), nb::arg("restarts"),
        nb::arg("smoothing"), nb::arg("tolerance"), nb::arg("max_iter"), nb::arg("threads"),
        nb::arg("progress").none() = nb::none());
  m.def("fit_multinomial_from", &fit_from, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"),
        nb::arg("lengths"), nb::arg("background"), nb::arg("start"), nb::arg("moves"), nb::arg("leaving"),
        nb::arg("theta"), nb::arg("ordered"), nb::arg("smoothing"), nb::arg("prior"), nb::arg("tolerance"),
        nb::arg("max_iter"));
  m.def("infer_multinomial", &infer, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("lengths"),
        nb::arg("start"), nb::arg("moves"), nb::arg("leaving"), nb::arg("theta"), nb::arg("ordered"));
  m.def("foretell_states", &foretold, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("lengths"),
        nb::arg("start"), nb::arg("moves"), nb::arg("leaving"), nb::arg("theta"));
}

}  // namespace phasemark
