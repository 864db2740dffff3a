"""What a target error costs: rounds of points, played until no more are asked for, on every machine.

Nothing here reads or writes files: a program's profile and metrics in, numbers out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from designs import BEHAVIOUR, CODE, CONFIDENCE, Group
from machines import Runs

from phasemark.estimates import PointOptions
from phasemark.estimates.rounds import Rounds, needed, play
from phasemark.phases import SimPoint

#: Errors of CPI that are asked for.
TARGETS = (0.01, 0.02, 0.05)

#: Rounds take long: no more seeds than these.
MOST_SEEDS = 8


def targets(runs: Runs, seeds: int) -> Iterator[dict[str, Any]]:
    """Of each machine, signature and target: points used and needed, and how the error came out."""
    for machines in runs.groups():
        groups = [Group(runs, machines, seed) for seed in range(1, min(seeds, MOST_SEEDS) + 1)]
        for machine, signature, target in itertools.product(machines, (CODE, BEHAVIOUR), TARGETS):
            case = {"machine": machine, "signature": signature, "target": target}
            yield {**case, **_of_seeds(groups, machine, signature, target)}


def _of_seeds(groups: list[Group], machine: str, signature: str, target: float) -> dict[str, float]:
    played, least = [], []
    for group in groups:
        places, metrics = group.places(signature), group.runs.metrics[machine]
        asked = PointOptions(target_error=target, seed=group.seed, confidence=CONFIDENCE)
        run = (group.profile, SimPoint(k=1, seed=group.seed).fit(places).phases_, metrics, asked, places)
        played.append(play(*run))
        least.append(needed(*run))
    return _told(played, least)


def _told(played: list[Rounds], least: list[int]) -> dict[str, float]:
    """Means over the seeds; `bar` is how often the interval is as narrow as was asked for."""
    trials = [one.trial for one in played]
    found = {
        "points": [trial.points for trial in trials],
        "needed": least,
        "ratio": [trial.points / n for trial, n in zip(trials, least, strict=True)],
        "rounds": [one.rounds for one in played],
        "within": [one.within for one in played],
        "covered": [trial.covered for trial in trials],
        "bar": [trial.half_width <= one.target for trial, one in zip(trials, played, strict=True)],
    }
    return {name: float(np.mean(values)) for name, values in found.items()}
