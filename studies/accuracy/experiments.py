"""What is asked of each program: how good its phases are, and how well a few points stand for all of it.

Nothing here reads or writes files: a run's profile and metrics in, numbers out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
from subject import Subject

from phasemark import quality, signatures
from phasemark.estimates import PointOptions
from phasemark.estimates.trials import Summary, Trial, trial
from phasemark.model import Profile
from phasemark.phases import SimPoint, selection

BUDGETS = (10, 20, 40, 80)
METRICS = ("cpi", "l1d_mpki", "branch_mpki")
FEWEST, MOST = 2, 20  # phases, of the comparison of CoV and CIM
BOUND = 30  # on k, of the comparison of criteria
CONFIDENCE = 0.95

#: Methods that choose another way for each seed, and the two that do not.
SEEDED = ("stratified", "nearest", "random", "systematic")
FIXED = ("start", "skip")


def everything(run: Subject, seeds: int) -> dict[str, Any]:
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


def _whole(run: Subject) -> dict[str, float]:
    values = run.metrics.values("cpi")
    everything = quality.cov(values, np.zeros(len(values), np.int64), run.profile)
    return {
        "mean": float(np.average(values, weights=run.profile.interval_table.length)),
        "lowest": float(values.min()),
        "highest": float(values.max()),
        "cov": float(everything.total),
    }


# ---------------------------------------------------------------- homogeneity


def homogeneity(run: Subject, model: SimPoint) -> Iterator[dict[str, Any]]:
    """CoV, CIM and reduction in deviation of CPI, for each number of phases."""
    values = run.metrics.values("cpi")
    for k in range(FEWEST, MOST + 1):
        labels = model.phases_of(k).labels
        intervals = quality.cim(values, labels)
        yield {
            "k": k,
            "cov": float(quality.cov(values, labels, run.profile).total),
            "cim": float(intervals.percent),
            "cim_before": float(intervals.before),
            "reduction": float(quality.deviation_reduction(values, labels, run.profile)),
        }


# ---------------------------------------------------------------- estimates


def estimates(run: Subject, models: dict[int, SimPoint]) -> Iterator[dict[str, Any]]:
    """For each budget and method, and each metric: error and interval over all seeds."""
    for budget in BUDGETS:
        for method in (*SEEDED, *FIXED):
            seeds = list(models) if method in SEEDED else [1]
            trials = [attempt(run, models[seed], method, budget, seed) for seed in seeds]
            for metric in METRICS:
                summary = Summary.of([metrics[metric] for metrics in trials])
                yield {
                    "method": method,
                    "budget": budget,
                    "metric": metric,
                    **dataclasses.asdict(summary),
                }


def attempt(run: Subject, model: SimPoint, method: str, budget: int, seed: int) -> dict[str, Trial]:
    """Metric -> estimate from as many points of a method as the budget allows, beside the truth."""
    if method == "nearest":
        k = max(k for k in model.clusterings_ if k <= budget)
        options = PointOptions(method=method, confidence=CONFIDENCE)
    else:
        k = strata(model, budget)
        options = PointOptions(method=method, budget=budget, seed=seed, confidence=CONFIDENCE)
    return trial(run.profile, model.phases_of(k), run.metrics, options, METRICS)


def strata(model: SimPoint, budget: int) -> int:
    """So many phases that each can have two points."""
    return selection.choose("noise-floor", model.evidence_.up_to(min(BOUND, budget // 2)))


# ---------------------------------------------------------------- criteria for k


def criteria(run: Subject, models: dict[int, SimPoint]) -> Iterator[dict[str, Any]]:
    """What each criterion for k means for an estimate of CPI from one nearest point a phase."""
    values = run.metrics.values("cpi")
    for name in selection.CRITERIA:
        ks, errors, covs = [], [], []
        for model in models.values():
            k = selection.choose(name, model.evidence_.up_to(BOUND))
            phases = model.phases_of(k)
            ks.append(k)
            errors.append(trial(run.profile, phases, run.metrics, PointOptions())["cpi"].error)
            covs.append(quality.cov(values, phases.labels, run.profile).total)
        yield {
            "criterion": name,
            "k": float(np.mean(ks)),
            "fewest": int(min(ks)),
            "most": int(max(ks)),
            "error": float(np.abs(errors).mean()),
            "bias": float(np.mean(errors)),
            "cov": float(np.mean(covs)),
        }
