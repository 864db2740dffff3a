"""Trials: where the full run is known, how near a few points come, and whether intervals cover the truth.

No file is touched: phases, metrics of every interval, a method, a budget and a seed give one trial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.estimates import planning
from phasemark.estimates.estimate import estimate, full_value
from phasemark.model import Intervals, Metrics, Phases
from phasemark.model.points import WHOLE_RUN
from phasemark.points import METHODS, Population, select, spread_of

#: The methods of points, and `neyman`: stratified, with more points where the proxy expects more variation.
NEYMAN = "neyman"
TRIED = ("nearest", "stratified", NEYMAN, "random", "systematic", "start", "skip")


@dataclass(frozen=True)
class Trial:
    """One estimate beside the truth.

    Attributes:
        method, seed: of the choice.
        points: how many.
        estimate, interval: of the metric.
        truth: the metric of the full run.
    """

    method: str
    seed: int
    points: int
    estimate: float
    interval: tuple[float, float]
    truth: float

    @property
    def error(self) -> float:
        """Relative error of the estimate."""
        return self.estimate / self.truth - 1

    @property
    def covered(self) -> bool:
        """Whether the interval covers the truth, up to rounding."""
        slack = 1e-9 * abs(self.truth)
        return self.interval[0] - slack <= self.truth <= self.interval[1] + slack

    @property
    def half_width(self) -> float:
        """Half the interval's width, relative to the truth."""
        return (self.interval[1] - self.interval[0]) / 2 / self.truth


@dataclass(frozen=True)
class Summary:
    """Trials of one method and budget.

    Attributes:
        bias: mean relative error.
        rms: root mean square of the relative errors.
        half_width: median, relative.
        covered: share of the intervals that cover the truth.
    """

    bias: float
    rms: float
    half_width: float
    covered: float

    @classmethod
    def of(cls, trials: Sequence[Trial]) -> Summary:
        """What at least one trial comes to."""
        errors = np.array([trial.error for trial in trials])
        return cls(
            float(errors.mean()),
            float(np.sqrt((errors**2).mean())),
            float(np.median([trial.half_width for trial in trials])),
            float(np.mean([trial.covered for trial in trials])),
        )


def trial(
    intervals: Intervals,
    phases: Phases,
    metrics: Metrics,
    method: str,
    *,
    budget: int,
    seed: int,
    metric: str = "cpi",
    confidence: float = 0.95,
) -> Trial:
    """Choose points, estimate from their metrics alone, and hold the estimate against the full run.

    Args:
        intervals, phases: of the run.
        metrics: of every interval.
        method: one of TRIED; nearest and stratified divide the budget evenly among the phases.
        budget: points in all, at least one for each phase (for the methods that know phases).
        seed: of the choice.
        metric: a ratio, or ipc.
        confidence: of the interval.

    Raises:
        UsageError: an unknown method, or a budget that is too small.
        DataError: the metric was not measured, or the metrics are of another run.
    """
    if method not in TRIED:
        raise UsageError(f"no method is called {method!r}", hint=f"one of: {', '.join(TRIED)}")
    population = Population.of(intervals, phases)
    spread = spread_of(phases, intervals.length.astype(np.float64))
    points = select(
        intervals,
        phases,
        _counts(method, min(budget, int(population.sizes.sum())), population.sizes, spread),
        method=method if method in METHODS else "stratified",
        seed=seed,
    )
    found = estimate(points, metrics, names=[metric], confidence=confidence)
    return Trial(
        method, seed, len(points), found.value[metric], found.interval[metric], full_value(metrics, metric)
    )


def even(budget: int, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The budget divided evenly among phases, none above its size; what is left over goes to the largest."""
    level = 0
    while np.minimum(sizes, level + 1).sum() <= budget and level < sizes.max(initial=0):
        level += 1
    counts = np.minimum(sizes, level)
    room = np.argsort(-sizes, kind="stable")[: budget - counts.sum()]
    counts[room] += 1
    return np.asarray(np.minimum(counts, sizes), np.int64)


def _counts(
    method: str, budget: int, sizes: NDArray[np.int64], spread: NDArray[np.float64]
) -> NDArray[np.int64]:
    if method == NEYMAN:
        return planning.for_budget(budget, sizes, planning.from_proxy(spread).deviations)
    if method not in WHOLE_RUN and budget < np.count_nonzero(sizes):
        raise UsageError(
            f"{budget} points cannot stand for {np.count_nonzero(sizes)} phases", hint="take more points"
        )
    return even(budget, sizes)
