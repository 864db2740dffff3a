"""Rounds: where the full run is known, what a target error costs, and whether its error bar holds at the end.

Played is what a user does: choose points, simulate them, choose again from what was measured, until no more
are asked for. No file is touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.estimates import planning, strata
from phasemark.estimates.choice import PointOptions, choose, pilot_size
from phasemark.estimates.estimate import estimate, full_value
from phasemark.estimates.trials import Trial
from phasemark.model import Metrics, Phases, Points, Signatures, given
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike
from phasemark.points import Population

#: Rounds that have not ended by then are given up.
MOST = 10


@dataclass(frozen=True)
class Rounds:
    """How a target error came out.

    Attributes:
        trial: of CPI, from the points of the last round.
        rounds: how often points were simulated.
        target: the error that was not to be exceeded, as a share.
        expected: within what the error was expected at the end, and which bar was forecast, as shares.
    """

    trial: Trial
    rounds: int
    target: float
    expected: tuple[float, float]

    @property
    def within(self) -> bool:
        """Whether the error is within the target."""
        return abs(self.trial.error) <= self.target


def play(
    intervals: IntervalsLike,
    phases: PhasesLike,
    metrics: MetricsLike,
    options: PointOptions,
    signatures: Signatures | None = None,
) -> Rounds:
    """Choose, measure and choose again until no more points are needed.

    Args:
        intervals, phases: of the run.
        metrics: of every interval.
        options: with a target error.
        signatures: where strata are looked for, see `choose`.

    Raises:
        UsageError: options that make no sense, or without a target.
        DataError: the metrics lack what CPI is made of.
    """
    target = _target(options)
    every = given.metrics(metrics)
    chosen = choose(intervals, phases, options, signatures=signatures)
    played = 0
    while played < MOST:
        played += 1
        measured = _measured(every, chosen.points)
        more = choose(intervals, phases, options, measured, chosen.points, signatures=signatures)
        if not more.details["more"]:
            break
        chosen = more
    one = estimate(chosen.points, _measured(every, chosen.points), names="cpi", confidence=options.confidence)
    trial = Trial(len(chosen), one.value["cpi"], one.interval["cpi"], full_value(every, "cpi"))
    expected = (more.details["expected_error"], more.details["expected_half_width"])
    return Rounds(trial, played, target, expected)


def needed(
    intervals: IntervalsLike,
    phases: PhasesLike,
    metrics: MetricsLike,
    options: PointOptions,
    signatures: Signatures | None = None,
) -> int:
    """The fewest points in the strata that `play` draws from whose error is within the target.

    By the deviations of all intervals, which nobody knows before a full simulation, with a normal quantile.

    Args:
        intervals, phases, metrics, options, signatures: as for `play`.

    Raises:
        UsageError, DataError: as `play`.
    """
    every, labels = given.metrics(metrics).with_instructions(), given.phases(phases)
    places = strata.signatures_for(signatures, intervals, labels)
    table = given.intervals(intervals)
    population = Population.of(table, labels, tail_points=options.tail_points)
    own = strata.strata_of(population, places, pilot_size(options), options.seed)
    sizes = np.bincount(own.labels[population.possible], minlength=own.k).astype(np.int64)
    values = every.values("cpi")[every.rows(table.run, table.thread, table.index)]
    deviations = _deviations(own, table.length.astype(np.float64), values)
    quantile = NormalDist().inv_cdf((1 + options.confidence) / 2)
    least = _target(options) * full_value(every, "cpi") / quantile * float(table.length.sum())
    low, high = int(np.minimum(sizes, 2).sum()), int(sizes.sum())
    while low < high:
        middle = (low + high) // 2
        counts = planning.for_budget(middle, sizes, deviations)
        if _standard_error(counts, sizes, deviations) <= least:
            high = middle
        else:
            low = middle + 1
    return low


def _target(options: PointOptions) -> float:
    if options.target_error is None:
        raise UsageError("there are no rounds without a target error", hint="give target_error")
    return options.target_error


def _deviations(
    phases: Phases, length: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of an interval's cycles from what its stratum's CPI says, in each stratum."""
    label, k = phases.labels, phases.k
    whole = np.maximum(np.bincount(label, weights=length, minlength=k), 1.0)
    mean = np.bincount(label, weights=length * values, minlength=k) / whole
    squares = np.bincount(label, weights=((values - mean[label]) * length) ** 2, minlength=k)
    return np.asarray(np.sqrt(squares / np.maximum(np.bincount(label, minlength=k) - 1, 1)), np.float64)


def _standard_error(
    counts: NDArray[np.int64], sizes: NDArray[np.int64], deviations: NDArray[np.float64]
) -> float:
    """Of the sum over all intervals (Cochran, section 5.5)."""
    taken = counts > 0
    n, size = counts[taken], sizes[taken]
    return float(np.sqrt((size * (size - n) * deviations[taken] ** 2 / n).sum()))


def _measured(every: Metrics, points: Points) -> Metrics:
    rows = every.rows(points.run, points.thread, points.interval)
    return Metrics(
        run=every.run[rows],
        thread=every.thread[rows],
        index=every.index[rows],
        start=every.start[rows],
        length=every.length[rows],
        counters={name: counter[rows] for name, counter in every.counters.items()},
    )
