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
from phasemark.estimates.trials import Summary, trial
from phasemark.model import Phases, Profile, Signatures
from phasemark.phases import SimPoint, selection

BUDGETS = (10, 20, 40, 80)
METRICS = ("cpi", "l1d_mpki", "l2_mpki", "l3_mpki", "branch_mpki", "epi")
FEWEST, MOST = 2, 20  # phases, of the comparison of CoV and CIM
BOUND = 30  # on k, of the comparison of criteria
CONFIDENCE = 0.95

#: Methods that choose another way for each seed, and the two that do not.
SEEDED = ("stratified", "phases", "nearest", "random", "systematic")
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
    most = max(1, (len(profile.interval_table) - 1) // 2)
    ks = sorted({k for k in [*range(1, BOUND + 1), *BUDGETS] if k <= most})
    return SimPoint(k=ks, seed=seed, keep_data=True).fit(projected(profile, seed))


def projected(profile: Profile, seed: int) -> Signatures:
    """What a seed's phases and strata are found in."""
    return signatures.project(profile, signatures.DEFAULT_DIMS, seed)


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
    places = {seed: projected(run.profile, seed) for seed in models}
    for budget in BUDGETS:
        for method in (*SEEDED, *FIXED):
            seeds = list(models) if method in SEEDED else [1]
            trials = [
                trial(
                    run.profile,
                    phases_for(models[seed], method, budget),
                    run.metrics,
                    options_for(method, budget, seed),
                    METRICS,
                    signatures=places[seed],
                )
                for seed in seeds
            ]
            for metric in METRICS:
                summary = Summary.of([metrics[metric] for metrics in trials])
                yield {
                    "method": method,
                    "budget": budget,
                    "metric": metric,
                    **dataclasses.asdict(summary),
                }


def options_for(method: str, budget: int, seed: int) -> PointOptions:
    """*stratified* is what phasemark does with a budget; *phases*: random points of few phases."""
    if method == "nearest":
        return PointOptions(confidence=CONFIDENCE)
    asked = PointOptions(budget=budget, seed=seed, confidence=CONFIDENCE)
    if method == "stratified":
        return asked
    if method == "phases":
        return dataclasses.replace(asked, strata="phases")
    return dataclasses.replace(asked, method=method)


def phases_for(model: SimPoint, method: str, budget: int) -> Phases:
    """As many as there are points for the nearest of each; two points of each for random ones."""
    if method == "nearest":
        return model.phases_of(max(k for k in model.clusterings_ if k <= budget))
    return model.phases_of(strata(model, budget))


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
