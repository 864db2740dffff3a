"""What is asked of each model of a program's phases: how likely it makes the run, and what its points tell.

Nothing here reads or writes files: a run's profile and metrics in, numbers out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from subject import Subject

from phasemark import quality, signatures
from phasemark.estimates import PointOptions, choose, estimate, interval_error, reconstruct
from phasemark.estimates.trials import Trial
from phasemark.model import Counts, Phases, Points
from phasemark.phases import MultinomialHMM, MultinomialMixture, SimPoint, held_out, sequences

METRICS = ("cpi", "l1d_mpki", "branch_mpki")
STATES = (4, 8, 16, 32, 64)
MOST = 64  # points
RESTARTS = 15

#: How many independent instructions an interval counts for, by name.
TEMPERING: dict[str, float | None] = {"all": None, "10k": 10_000.0, "1000": 1_000.0, "100": 100.0}

#: The paper's eight, and those that every model has; "two-each": on average two random ones of each phase.
SELECTORS = (
    *("max-likelihood-1", "max-likelihood-2", "cluster-center", "max-posterior"),
    *("obs-model-dist-1", "obs-model-dist-2", "obs-model-dist-3", "obs-model-dist-4"),
    *("nearest", "stratified", "two-each"),
)
RANDOM = ("stratified", "two-each")
DRAWS = 5  # of random points, with one seed and model
ESTIMATORS = ("weights", "epm1", "epm2")

#: Of the prediction, and of its models.
PREDICTED = 8
_DIMS = {"15 dims": 15, "100 dims": 100}


@dataclass(frozen=True)
class Way:
    """A way to find phases.

    Attributes:
        model: simpoint, mixture or hmm.
        representation: of mixture and hmm: full, reweight, random, or loops (the counts of loops, calls and
            returns); of simpoint: 15 dims, 100 dims, or loops.
        tempering: a name of TEMPERING; none of simpoint.
    """

    model: str
    representation: str
    tempering: str = ""

    @property
    def name(self) -> str:
        """In tables and figures."""
        return " ".join(filter(None, (self.model, self.representation, self.tempering)))


#: The baseline, and everything that is held against it.
BASELINE = Way("simpoint", "15 dims")
WAYS = (
    BASELINE,
    *(Way("simpoint", what) for what in ("100 dims", "loops")),
    *(
        Way(model, representation, tempering)
        for model in ("mixture", "hmm")
        for representation, tempering in (
            *(("full", tempering) for tempering in TEMPERING),
            *((what, tempering) for what in ("reweight", "random") for tempering in ("all", "1000")),
            ("loops", "1000"),
        )
    ),
)


def seen(run: Subject, representation: str) -> Counts:
    """What a model is fitted on."""
    return signatures.counts(run.profile, "loops" if representation == "loops" else "blocks")


def whatever_states(run: Subject, restarts: int, seed: int) -> dict[str, Any]:
    """What is asked of a program with one seed, but for models of so many states, as JSON holds it."""
    profile = run.profile
    clusterings = simpoint(run, BASELINE, list(range(1, MOST + 1)), seed)
    return {
        "intervals": len(profile.interval_table),
        "instructions": profile.instructions,
        "blocks": len(profile.block_table),
        "loops": 0 if profile.sites is None else len(profile.sites),
        "truth": {metric: run.truth(metric) for metric in METRICS},
        "cov": _cov(run, np.zeros(len(profile.interval_table), np.int64)),
        "baseline": [nearest(run, phases) for _, phases in sorted(clusterings.items())],
        "random": list(at_random(run, seed)),
        "prediction": list(prediction(run, restarts)) if seed == 1 else [],
    }


def of_states(run: Subject, states: int, restarts: int, single: int, seed: int) -> dict[str, Any]:
    """All that is asked of models of so many states, with one seed."""
    answers: dict[str, Any] = {"fits": [], "rows": []}
    for way in WAYS:
        fitted = fit(run, way, states, restarts, seed)
        if fitted is not None:
            of = {"way": way.name, "states": states}
            answers["fits"].append({**of, **told(run, fitted)})
            answers["rows"] += [{**of, **row} for row in rows(run, way, fitted, seed)]
    answers["restarts"] = list(single_restarts(run, states, single)) if seed == 1 else []
    return answers


# ---------------------------------------------------------------- fits

#: A fitted model, or a clustering.
Fitted = Any


def fit(run: Subject, way: Way, states: int, restarts: int, seed: int) -> Fitted | None:
    """A mixture or a hidden Markov model, or SimPoint's phases; None where there are too few intervals."""
    if way.model == "simpoint":
        return simpoint(run, way, [states], seed).get(states)
    table = run.profile.interval_table
    return _model(way, states, restarts, seed).fit(
        seen(run, way.representation), sample_weight=table.length, sequences=sequences(table)
    )


def _model(way: Way, states: int, restarts: int, seed: int) -> MultinomialMixture | MultinomialHMM:
    model: Callable[..., Any] = MultinomialHMM if way.model == "hmm" else MultinomialMixture
    representation = "full" if way.representation == "loops" else way.representation
    return model(
        states,
        representation=representation,
        restarts=restarts,
        seed=seed,
        tempering=TEMPERING[way.tempering],
    )


def simpoint(run: Subject, way: Way, ks: list[int], seed: int) -> dict[int, Phases]:
    """Number of phases -> phases of k-means, as far as there are enough intervals."""
    kind = "loops" if way.representation == "loops" else "blocks"
    dims = _DIMS.get(way.representation, signatures.DEFAULT_DIMS)
    projected = signatures.project(run.profile, dims, seed, kind)
    attainable = [k for k in ks if k <= max(1, (len(projected.weights) - 1) // 2)]
    if not attainable:
        return {}
    model = SimPoint(k=attainable, seed=seed, keep_data=True).fit(projected)
    return {k: model.phases_of(k) for k in sorted(model.clusterings_)}


def told(run: Subject, fitted: Fitted) -> dict[str, Any]:
    """How good a fit is, whatever its points."""
    phases = _phases(fitted)
    likely = (
        {}
        if isinstance(fitted, Phases)
        else {
            "log_likelihood": fitted.log_likelihood_,
            "evidence": fitted.evidence_,
            "score": fitted.scores_[fitted.chosen_k_],
            "changes": int(np.count_nonzero(np.diff(phases.labels))),
        }
    )
    return {"used": phases.k, "cov": _cov(run, phases.labels), **likely}


def _phases(fitted: Fitted) -> Phases:
    return fitted if isinstance(fitted, Phases) else fitted.phases_


def _cov(run: Subject, labels: Any) -> float:
    return float(quality.cov(run.metrics.values("cpi"), labels, run.profile).total)


# ---------------------------------------------------------------- points


def rows(run: Subject, way: Way, fitted: Fitted, seed: int) -> Iterator[dict[str, Any]]:
    """Every selector and estimator that the model can have; random points are drawn several times."""
    phases = _phases(fitted)
    uncertain = phases.posterior is not None
    vectors = seen(run, way.representation)
    for selector in SELECTORS:
        if (selector == "max-posterior" and not uncertain) or (
            selector == "two-each" and 2 * phases.k > MOST
        ):
            continue
        for draw in range(DRAWS if selector in RANDOM else 1):
            points = choose(
                run.profile, fitted, _options(selector, phases.k, seed, draw), vectors=vectors
            ).points
            for estimator in ESTIMATORS:
                if estimator != "epm2" or uncertain:
                    by = {"selector": selector, "estimator": estimator, "draw": draw}
                    yield {**by, **outcome(run, phases, points, estimator)}


def _options(selector: str, k: int, seed: int, draw: int) -> PointOptions:
    if selector == "two-each":
        return PointOptions(strata="phases", budget=2 * k, seed=_drawn(seed, draw))
    return PointOptions(method=selector, seed=_drawn(seed, draw))


def _drawn(seed: int, draw: int) -> int:
    return DRAWS * (seed - 1) + draw + 1


def nearest(run: Subject, phases: Phases) -> dict[str, Any]:
    """SimPoint as it is used: the interval nearest to each centre, by its phase's weight."""
    return outcome(run, phases, choose(run.profile, phases, PointOptions()).points, "weights")


def at_random(run: Subject, seed: int) -> Iterator[dict[str, Any]]:
    """So many intervals of the whole run, whatever the phases."""
    whole = SimPoint(k=1).fit(signatures.project(run.profile)).phases_
    for count in STATES:
        for draw in range(DRAWS):
            options = PointOptions(method="random", budget=count, seed=_drawn(seed, draw))
            points = choose(run.profile, whole, options).points
            yield {"draw": draw, **outcome(run, whole, points, "weights")}


def outcome(run: Subject, phases: Phases, points: Points, estimator: str) -> dict[str, Any]:
    """How many intervals are simulated, and how far what they tell is from the whole run.

    `off` is E_I, the mean error of the intervals' CPI where each is as its phase's points.
    """
    estimated = estimate(
        points, run.metrics, names=METRICS, estimator=estimator, intervals=run.profile, phases=phases
    )
    trials = {
        name: Trial(len(points), value, estimated.interval[name], run.truth(name))
        for name, value in estimated.value.items()
    }
    return {
        "points": len({*zip(points.thread.tolist(), points.interval.tolist(), strict=True)}),
        "errors": {name: trial.error for name, trial in trials.items()},
        "covered": {name: trial.covered for name, trial in trials.items()},
        "half_width": {name: trial.half_width for name, trial in trials.items()},
        "off": None if points.method == "random" else _off(run, phases, points, estimator),
    }


def _off(run: Subject, phases: Phases, points: Points, estimator: str) -> float:
    by = "epm2" if estimator == "epm2" else "epm1"
    curve = reconstruct(points, run.metrics, run.profile, phases, estimator=by)
    return interval_error(run.metrics.values("cpi"), curve)


# ---------------------------------------------------------------- likelihood, prediction


def single_restarts(run: Subject, states: int, count: int) -> Iterator[dict[str, Any]]:
    """Each restart by itself: its likelihood, and how wrong CPI is then (the paper's figure 2)."""
    for model in ("mixture", "hmm"):
        way = Way(model, "full", "1000")
        for seed in range(1, count + 1):
            fitted = fit(run, way, states, 1, seed)
            assert fitted is not None
            points = choose(run.profile, fitted, PointOptions(method="obs-model-dist-1")).points
            found = outcome(run, fitted.phases_, points, "epm1")
            yield {
                "model": model,
                "states": states,
                "seed": seed,
                "log_likelihood": fitted.log_likelihood_,
                "error": abs(found["errors"]["cpi"]),
                "off": found["off"],
            }


def prediction(run: Subject, restarts: int) -> Iterator[dict[str, Any]]:
    """How often the next phase of the last fifth is foretold."""
    profile = run.profile
    table = profile.interval_table
    for tempering in ("1000", "all"):
        model = _model(Way("hmm", "full", tempering), PREDICTED, restarts, 1)
        found = held_out(model, profile.vectors, sample_weight=table.length, sequences=sequences(table))
        yield {
            "tempering": tempering,
            "intervals": found.intervals,
            "changes": found.changes,
            "accuracy": dict(found.accuracy),
            "at_changes": dict(found.at_changes),
        }
