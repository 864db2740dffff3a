"""What is asked of each program: how alike intervals of online phases are, how well they are foretold.

Nothing here reads or writes files: a run's profile and metrics in, numbers out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from subject import Subject

from phasemark import quality, signatures
from phasemark.model import Counts
from phasemark.online import Tracker, accuracy, guesses
from phasemark.phases import MultinomialHMM, SimPoint, adjusted_rand_index, held_out
from phasemark.phases.numbering import by_appearance

THRESHOLDS = (0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.75, 1.0)
#: Of the comparison with as many phases offline; 1: nothing is in transition.
MIN_COUNTS = (1, 8)
#: Thresholds at which phases are foretold.
FORETOLD = (0.25, 0.5)
#: No more phases are held against SimPoint's: a phase then has few intervals.
MOST = 60
STATES = 8

#: What is tried in the place of the defaults, one at a time.
CHANGES: dict[str, tuple[dict[str, Any], ...]] = {
    "counters": tuple({"counters": n} for n in (8, 16, 64, 128, 512)),
    "bits kept": tuple({"compressed_bits": n} for n in (2, 4, 8, 12, None)),
    "headroom": tuple({"headroom": n} for n in (0, 1, 3, 4, 5)),
    "signatures": tuple({"signatures": n} for n in (5, 10, 40, 100, None)),
    "sightings": tuple({"min_count": n} for n in (1, 2, 4, 16)),
    "a match": ({"policy": "replace"}, {"policy": "average"}),
    "thresholds": tuple({"threshold": t} for t in (0.125, 0.5, 1.0)),
    "unrestricted": ({"counters": None, "bits": None, "compressed_bits": None, "signatures": None},),
}


class Run:
    """A program's intervals, and its offline phases for any number of them."""

    def __init__(self, subject: Subject) -> None:
        self.profile = subject.profile
        held = signatures.counts(subject.profile)
        self.counts = Counts(held.indptr, held.indices, held.data, held.columns, held.keys)
        self.cpi: NDArray[np.float64] = subject.metrics.values("cpi")
        self.n = len(self.cpi)
        self._offline: dict[int, SimPoint] = {}

    def cov(self, labels: NDArray[np.int64]) -> float:
        """Of CPI within phases."""
        return float(quality.cov(self.cpi, labels, self.profile).total)

    def offline(self, k: int, seed: int) -> NDArray[np.int32]:
        """SimPoint's labels."""
        if seed not in self._offline:
            most = max(1, min(MOST, (self.n - 1) // 2))
            projected = signatures.project(self.profile, signatures.DEFAULT_DIMS, seed)
            ks = list(range(1, most + 1))
            self._offline[seed] = SimPoint(k=ks, seed=seed, keep_data=True).fit(projected)
        model = self._offline[seed]
        return model.phases_of(max(known for known in model.clusterings_ if known <= k)).labels

    def by_time(self, k: int) -> NDArray[np.int64]:
        """The run in k equal stretches: what costs nothing."""
        return np.arange(self.n) * k // self.n

    def track(self, **parameters: Any) -> NDArray[np.int32]:
        """Online labels."""
        return by_appearance(Tracker(**parameters).track(self.counts).phase.astype(np.int32))[0]


def everything(subject: Subject, seeds: int) -> dict[str, Any]:
    """All experiments on one program, as JSON holds them."""
    run = Run(subject)
    every = range(1, seeds + 1)
    return {
        "intervals": run.n,
        "whole": run.cov(np.zeros(run.n, np.int64)),
        "homogeneity": [row for seed in every for row in homogeneity(run, seed)],
        "sizes": [row for seed in every for row in sizes(run, seed)],
        "prediction": [row for seed in every for row in prediction(run, seed)],
        "beside_hmm": list(beside_hmm(run)),
    }


def homogeneity(run: Run, seed: int) -> Iterator[dict[str, Any]]:
    """CoV of CPI of online phases, of as many offline, and of as many stretches of time."""
    for min_count in MIN_COUNTS:
        for threshold in THRESHOLDS:
            yield {
                "seed": seed,
                "min_count": min_count,
                "threshold": threshold,
                **beside(run, seed, threshold=threshold, min_count=min_count),
            }


def beside(run: Run, seed: int, **parameters: Any) -> dict[str, Any]:
    """Online phases beside as many offline ones; of more than MOST, only how they are."""
    labels = run.track(seed=seed, **parameters)
    k = int(labels.max()) + 1
    moving = labels == 0 if parameters.get("min_count", 8) > 1 else np.zeros(run.n, np.bool_)
    row = {"k": k, "cov": run.cov(labels), "transition": float(moving.mean())}
    if k <= MOST:
        offline = run.offline(k, seed)
        row |= {
            "offline": run.cov(offline),
            "stretches": run.cov(run.by_time(k)),
            "agreement": adjusted_rand_index(labels, offline),
        }
    return row


def sizes(run: Run, seed: int) -> Iterator[dict[str, Any]]:
    """The defaults, and each change by itself."""
    yield {"seed": seed, "what": "defaults", "change": {}, **beside(run, seed)}
    for what, changes in CHANGES.items():
        for change in changes:
            yield {"seed": seed, "what": what, "change": change, **beside(run, seed, **change)}


def prediction(run: Run, seed: int) -> Iterator[dict[str, Any]]:
    """How often each predictor is right, over the whole run, learning as it goes."""
    for threshold in FORETOLD:
        for one in accuracy(run.track(threshold=threshold, seed=seed)):
            row = {name: value for name, value in vars(one).items() if name not in ("confusion", "classes")}
            yield {"seed": seed, "threshold": threshold, **row}


def beside_hmm(run: Run) -> Iterator[dict[str, Any]]:
    """Of the states of a hidden Markov model, and of online phases, in the last fifth of the run."""
    guesses.register()
    for model in (MultinomialHMM(STATES, restarts=3), Tracker(0.5)):
        found = held_out(model, run.counts)
        for name, right in found.accuracy.items():
            changes = found.changes
            at_changes = float(found.at_changes[name]) if changes else None
            yield {
                "phases": model.name,
                "predictor": name,
                "intervals": found.intervals,
                "changes": changes,
                "right": right,
                "at_changes": at_changes,
            }
