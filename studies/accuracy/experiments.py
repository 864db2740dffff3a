"""What is asked of each program: how good its phases are, and how well a few points stand for all of it.

Nothing here reads or writes files: a run's profile and metrics in, numbers out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import designs
import numpy as np
from machines import MACHINES, Runs
from targets import targets

from phasemark import quality
from phasemark.estimates import PointOptions
from phasemark.estimates.trials import trial
from phasemark.phases import SimPoint, selection

FEWEST, MOST = 2, 20  # phases, of the comparison of CoV and CIM

#: Of homogeneity and of the criteria for k.
FIRST = MACHINES[0]


def everything(runs: Runs, seeds: int) -> dict[str, Any]:
    """All experiments on one program, as JSON holds them."""
    groups = {seed: designs.Group(runs, [FIRST], seed) for seed in range(1, seeds + 1)}
    models = {seed: designs.fit(group.places(), seed) for seed, group in groups.items()}
    return {
        "intervals": len(runs.profile.interval_table),
        "instructions": runs.profile.instructions,
        "truth": {machine: runs.truth(machine) for machine in MACHINES},
        "whole": {machine: _whole(runs, machine) for machine in MACHINES},
        "smarts": {machine: designs.smarts_needs(runs, machine) for machine in MACHINES},
        "homogeneity": list(homogeneity(runs, models[1])),
        "estimates": list(designs.estimates(runs, seeds)),
        "criteria": list(criteria(runs, models)),
        "targets": list(targets(runs, seeds)),
    }


def _whole(runs: Runs, machine: str) -> dict[str, float]:
    values = runs.metrics[machine].values("cpi")
    profile = runs.profiles[machine]
    everything = quality.cov(values, np.zeros(len(values), np.int64), profile)
    return {
        "mean": float(np.average(values, weights=profile.interval_table.length)),
        "lowest": float(values.min()),
        "highest": float(values.max()),
        "cov": float(everything.total),
    }


def homogeneity(runs: Runs, model: SimPoint) -> Iterator[dict[str, Any]]:
    """CoV, CIM and reduction in deviation of CPI, for each number of phases."""
    values = runs.metrics[FIRST].values("cpi")
    for k in range(FEWEST, MOST + 1):
        labels = model.phases_of(k).labels
        intervals = quality.cim(values, labels)
        yield {
            "k": k,
            "cov": float(quality.cov(values, labels, runs.profile).total),
            "cim": float(intervals.percent),
            "cim_before": float(intervals.before),
            "reduction": float(quality.deviation_reduction(values, labels, runs.profile)),
        }


def criteria(runs: Runs, models: dict[int, SimPoint]) -> Iterator[dict[str, Any]]:
    """What each criterion for k means for an estimate of CPI from one nearest point a phase."""
    metrics = runs.metrics[FIRST]
    values = metrics.values("cpi")
    for name in selection.CRITERIA:
        ks, errors, covs = [], [], []
        for model in models.values():
            k = selection.choose(name, model.evidence_.up_to(designs.BOUND))
            phases = model.phases_of(k)
            ks.append(k)
            errors.append(trial(runs.profile, phases, metrics, PointOptions())["cpi"].error)
            covs.append(quality.cov(values, phases.labels, runs.profile).total)
        yield {
            "criterion": name,
            "k": float(np.mean(ks)),
            "fewest": int(min(ks)),
            "most": int(max(ks)),
            "error": float(np.abs(errors).mean()),
            "bias": float(np.mean(errors)),
            "cov": float(np.mean(covs)),
        }
