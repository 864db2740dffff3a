"""What is asked of each program: how good its phases are, and how well a few points stand for all of it.

Nothing here reads or writes files: a run's profile and metrics in, numbers out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from phasemark import points, quality, signatures
from phasemark.estimates import estimate, full_value, planning
from phasemark.model import Metrics, Phases, Points, Profile
from phasemark.phases import SimPoint, selection
from phasemark.points import spread_of

BUDGETS = (10, 20, 40, 80)
METRICS = ("cpi", "l1d_mpki", "branch_mpki")
FEWEST, MOST = 2, 20  # phases, of the comparison of CoV and CIM
BOUND = 30  # on k, of the comparison of criteria
CONFIDENCE = 0.95

#: Methods that choose another way for each seed, and the two that do not.
SEEDED = ("stratified", "nearest", "random", "systematic")
FIXED = ("start", "skip")


@dataclass(frozen=True)
class Run:
    """A program's run, simulated in full."""

    profile: Profile
    metrics: Metrics

    @property
    def weights(self) -> np.ndarray:
        """Instructions of each interval."""
        return self.profile.interval_table.length.astype(np.float64)

    def truth(self, metric: str) -> float:
        """The value over the whole run."""
        return full_value(self.metrics, metric)


def everything(run: Run, seeds: int) -> dict[str, Any]:
    """All experiments on one program, as JSON holds them."""
    models = {seed: fit(run.profile, seed) for seed in range(1, seeds + 1)}
    return {
        "intervals": len(run.profile.interval_table),
        "instructions": run.profile.instructions,
        "truth": {metric: run.truth(metric) for metric in METRICS},
        "whole": _whole(run),
        "homogeneity": list(homogeneity(run, models[1])),
        "estimates": list(estimates(run, models)),
        "criteria": list(criteria(run, models)),
    }


def fit(profile: Profile, seed: int) -> SimPoint:
    """Every k that is asked for later; one projection and clustering a seed."""
    projected = signatures.project(profile, signatures.DEFAULT_DIMS, seed)
    most = max(1, (len(profile.interval_table) - 1) // 2)
    ks = sorted({k for k in [*range(1, BOUND + 1), *BUDGETS] if k <= most})
    return SimPoint(k=ks, seed=seed, keep_data=True).fit(projected)


def _whole(run: Run) -> dict[str, float]:
    values = run.metrics.values("cpi")
    everything = quality.cov(values, np.zeros(len(values), np.int64), run.weights)
    return {
        "mean": float(np.average(values, weights=run.weights)),
        "lowest": float(values.min()),
        "highest": float(values.max()),
        "cov": float(everything.total),
    }


# ---------------------------------------------------------------- homogeneity


def homogeneity(run: Run, model: SimPoint) -> Iterator[dict[str, Any]]:
    """CoV, CIM and reduction in deviation of CPI, for each number of phases."""
    values = run.metrics.values("cpi")
    for k in range(FEWEST, MOST + 1):
        labels = model.phases_of(k).labels
        intervals = quality.cim(values, labels)
        yield {
            "k": k,
            "cov": float(quality.cov(values, labels, run.weights).total),
            "cim": float(intervals.percent),
            "cim_before": float(intervals.before),
            "reduction": float(quality.deviation_reduction(values, labels, run.weights)),
        }


# ---------------------------------------------------------------- estimates


def estimates(run: Run, models: dict[int, SimPoint]) -> Iterator[dict[str, Any]]:
    """For each budget and method, and each metric: error and interval over all seeds."""
    for budget in BUDGETS:
        for method in (*SEEDED, *FIXED):
            seeds = list(models) if method in SEEDED else [1]
            chosen = [choose(run, models[seed], method, budget, seed) for seed in seeds]
            found = [estimate(p, run.metrics, names=METRICS, confidence=CONFIDENCE) for p in chosen]
            for metric in METRICS:
                yield {
                    "method": method,
                    "budget": budget,
                    "metric": metric,
                    "points": float(np.mean([len(p) for p in chosen])),
                    **_accuracy(run.truth(metric), found, metric),
                }


def choose(run: Run, model: SimPoint, method: str, budget: int, seed: int) -> Points:
    """Points of a method, as many as the budget allows."""
    intervals = run.profile.interval_table
    if method == "nearest":
        phases = model.phases_of(max(k for k in model.clusterings_ if k <= budget))
        return points.select(intervals, phases, 1, method=method)
    phases = model.phases_of(strata(model, budget))
    spread = spread_of(phases, run.weights)
    sizes = points.Population.of(intervals, phases).sizes
    counts = planning.for_budget(budget, sizes, planning.from_proxy(spread).deviations)
    return points.select(intervals, phases, counts, method=method, seed=seed)


def strata(model: SimPoint, budget: int) -> int:
    """So many phases that each can have two points."""
    return selection.choose("noise-floor", model.evidence_.up_to(min(BOUND, budget // 2)))


def _accuracy(truth: float, found: list[Any], metric: str) -> dict[str, float]:
    errors = np.array([one.value[metric] for one in found]) / truth - 1
    ends = np.array([one.interval[metric] for one in found])
    covered = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    width = (ends[:, 1] - ends[:, 0]) / 2 / truth
    known = np.isfinite(width)
    return {
        "bias": float(errors.mean()),
        "error": float(np.abs(errors).mean()),
        "worst": float(np.abs(errors).max()),
        "covered": float(covered.mean()) if known.all() else math.nan,
        "half_width": float(width.mean()) if known.all() else math.nan,
    }


# ---------------------------------------------------------------- criteria for k


def criteria(run: Run, models: dict[int, SimPoint]) -> Iterator[dict[str, Any]]:
    """What each criterion for k means for an estimate of CPI from one nearest point a phase."""
    truth = run.truth("cpi")
    intervals = run.profile.interval_table
    values = run.metrics.values("cpi")
    for name in selection.CRITERIA:
        ks, errors, covs = [], [], []
        for model in models.values():
            k = selection.choose(name, model.evidence_.up_to(BOUND))
            phases = model.phases_of(k)
            ks.append(k)
            errors.append(_classic(run, intervals, phases) / truth - 1)
            covs.append(quality.cov(values, phases.labels, run.weights).total)
        yield {
            "criterion": name,
            "k": float(np.mean(ks)),
            "fewest": int(min(ks)),
            "most": int(max(ks)),
            "error": float(np.abs(errors).mean()),
            "bias": float(np.mean(errors)),
            "cov": float(np.mean(covs)),
        }


def _classic(run: Run, intervals: Any, phases: Phases) -> float:
    picked = points.select(intervals, phases, 1, method="nearest")
    return float(estimate(picked, run.metrics, names=["cpi"]).value["cpi"])
