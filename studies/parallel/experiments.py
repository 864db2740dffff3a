"""What is asked of a parallel program: how alike phases are inside, and how well points stand for it.

Nothing here reads or writes files: profiles and metrics in, numbers out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel, quality, signatures
from phasemark.estimates import PointOptions, choose, estimate, full_value
from phasemark.model import Metrics, Phases, Points, Profile
from phasemark.phases import SimPoint

#: The paper has CPI and the hit rates of two levels; a miss rate deviates by as much as its hit rate.
METRICS = ("cpi", "l2_miss_rate", "l3_miss_rate")
BOUND = 30  # on k, as SimPoint is mostly used
PER_PHASE = 4  # random points, where there are several


@dataclass(frozen=True)
class Run:
    """A run, or several joined, with the metrics of every interval."""

    profile: Profile
    metrics: Metrics


def of_run(run: Run, seeds: int) -> dict[str, Any]:
    """Table 1 and figures 3 to 5 and 9 of one run: threads apart, threads merged, and more points."""
    merged = parallel.merge(run.profile, run.metrics)
    together = Run(merged.profile, merged.metrics or run.metrics)
    return {
        "instructions": run.profile.instructions,
        "threads": int(run.profile.interval_table.first_of_thread().sum()),
        "intervals": len(run.profile.interval_table),
        "whole": {metric: _spread(run, metric) for metric in METRICS},
        "separate": [_outcome(run, _fitted(run.profile, seed)) for seed in range(1, seeds + 1)],
        "merged": [_outcome(together, _fitted(together.profile, seed)) for seed in range(1, seeds + 1)],
        "random": [_random(run, _fitted(run.profile, seed), seed) for seed in range(1, seeds + 1)],
        "shuffled": [_by_chance(run, _fitted(run.profile, seed), seed) for seed in range(1, seeds + 1)],
    }


def of_all(joint: Run, threads: list[int], seeds: int) -> dict[str, Any]:
    """Phases of all runs together: how alike they are in each, how well few points stand for each."""
    models = [_fitted(joint.profile, seed) for seed in range(1, seeds + 1)]
    found = parallel.scaling(joint.profile, models[0], joint.metrics, threads)
    return {
        "threads": threads,
        "seeds": [_of_each(joint, model.phases_, len(threads)) for model in models],
        "speedup": found.whole_speedup.tolist(),
        "phases": [
            {
                "share": float(found.shares[found.base, phase]),
                "elapsed": found.elapsed[:, phase].tolist(),
                "instructions": found.instructions[:, phase].tolist(),
            }
            for phase in range(models[0].k_)
        ],
    }


def _fitted(profile: Profile, seed: int) -> SimPoint:
    projected = signatures.project(profile, signatures.DEFAULT_DIMS, seed)
    return SimPoint(max_k=BOUND, seed=seed).fit(projected)


def _spread(run: Run, metric: str) -> list[float]:
    """Mean and standard deviation over the intervals, by their instructions."""
    values = quality.measured(run.metrics, run.profile.interval_table, metric)
    one = quality.cov(values, np.zeros(len(run.profile.interval_table), np.int64))
    mean = full_value(run.metrics, metric)
    return [float(mean), float(one.before * abs(mean))]


def _outcome(run: Run, model: SimPoint) -> dict[str, Any]:
    points = choose(run.profile, model.phases_, PointOptions()).points
    return {
        "k": int(model.k_),
        "reduction": _reductions(run, model.phases_.labels),
        "errors": _errors(run, points),
        "simulated": float((points.end - points.start).sum() / run.profile.instructions),
    }


def _random(run: Run, model: SimPoint, seed: int) -> dict[str, Any]:
    """Four random points in each phase of the threads apart, with an interval of 95%."""
    options = PointOptions(per_phase=PER_PHASE, seed=seed)
    points = choose(run.profile, model.phases_, options).points
    found = estimate(points, run.metrics, names=METRICS)
    return {
        "points": len(points),
        "errors": _errors(run, points),
        "simulated": float((points.end - points.start).sum() / run.profile.instructions),
        "holds": {name: found.covers(name, full_value(run.metrics, name)) for name in METRICS},
    }


def _reductions(run: Run, labels: NDArray[np.int32]) -> dict[str, float]:
    return {
        metric: float(
            quality.deviation_reduction(
                quality.measured(run.metrics, run.profile.interval_table, metric), labels
            )
        )
        for metric in METRICS
    }


def _errors(run: Run, points: Points) -> dict[str, float]:
    estimated = estimate(points, run.metrics, names=METRICS)
    truth = {name: full_value(run.metrics, name) for name in METRICS}
    return {name: float(estimated.value[name] / truth[name] - 1) if truth[name] else 0.0 for name in METRICS}


def _by_chance(run: Run, model: SimPoint, seed: int) -> dict[str, Any]:
    """What as many phases of the same sizes explain that know nothing of the code."""
    labels = np.random.default_rng(seed).permutation(model.phases_.labels)
    return {"k": int(model.k_), "reduction": _reductions(run, labels)}


def _of_each(joint: Run, phases: Phases, runs: int) -> dict[str, Any]:
    """CPI of each run from one point a phase of all runs, weighted by what the run executes of each."""
    table = joint.profile.interval_table
    points = choose(joint.profile, phases, PointOptions()).points
    rows = joint.metrics.rows(points.run, points.thread, points.interval)
    cpi = np.zeros(phases.k)
    cpi[points.phase] = joint.metrics.values("cpi")[rows]
    errors = []
    for run in range(runs):
        own = table.run == run
        share = np.bincount(phases.labels[own], table.length[own], phases.k) / table.length[own].sum()
        mine = joint.metrics.run == run
        counters = {
            name: float(np.nansum(joint.metrics.counters[name][mine])) for name in ("cycles", "instructions")
        }
        errors.append(float(share @ cpi / (counters["cycles"] / counters["instructions"]) - 1))
    return {
        "k": int(phases.k),
        "reduction": _reductions(joint, phases.labels),
        "errors": errors,
        "simulated": float((points.end - points.start).sum() / joint.profile.instructions),
    }
