"""Points of all threads -> each thread's own metrics, with error bars.

A phase's points stand for its intervals wherever they ran. A thread's estimate is made of those of its
phases, by how many of its instructions are in each; what was simulated of it keeps its own value (EPM1, for a
thread).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.estimates.estimate import combined
from phasemark.estimates.states import States, standing
from phasemark.estimates.variance import Within
from phasemark.model import Estimate, Intervals, Metrics, Phases, Points, _show, given
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike, PointsLike
from phasemark.points import spread_of
from phasemark.quality.confidence import require_confidence

if TYPE_CHECKING:
    import pandas as pd


def _of_phases(points: Points, phases: Phases, table: Intervals) -> Points:
    """Points of strata as points of the phases they lie in: threads are made up of phases."""
    population = np.bincount(phases.labels[table.length > 0], minlength=phases.k)[points.phase]
    spread = spread_of(phases, table.length.astype(np.float64))[points.phase]
    of_phases: dict[str, Any] = {"population": population, "spread": spread, "strata": None, "balanced": 0}
    if points.strata is not None:
        of_phases["signature"] = None  # what the strata were found in
    return dataclasses.replace(points, **of_phases)


@dataclass(frozen=True, repr=False)
class ThreadEstimate:
    """The estimate of one thread.

    Attributes:
        run, thread: which.
        instructions: that it executed.
        points: how many of the points lie in it; its estimate rests on all points of its phases.
        estimate: of its metrics; coverage is a share of its own instructions, `missing` has rows of all
            points.
    """

    run: int
    thread: int
    instructions: int
    points: int
    estimate: Estimate

    def frame(self) -> pd.DataFrame:
        """The estimate as a table, one row a metric."""
        return self.estimate.frame()

    def __repr__(self) -> str:
        return _show.line(self, run=self.run, thread=self.thread, instructions=self.instructions)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def estimate_threads(
    points: PointsLike,
    metrics: MetricsLike,
    intervals: IntervalsLike,
    phases: PhasesLike,
    *,
    names: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    most: int | None = None,
) -> tuple[ThreadEstimate, ...]:
    """Estimate the ratios of each thread from the points of all.

    An interval of a thread that was not simulated is taken to be as the points of its phase, of whatever
    thread. So a thread without a point of its own has an estimate, too; how much its intervals of a phase may
    differ from others of that phase is in its error bar, as far as the points tell it.

    Args:
        points: of phases, guards left aside; metrics: of these points, as for `estimate`.
        intervals, phases: of the run; several runs have threads of their own.
        names, confidence: as for `estimate`.
        most: only so many threads, those that executed the most (of equals the first); None: all.

    Returns:
        One for each thread that executed an instruction, in the order of the intervals.

    Raises:
        UsageError: points of the whole run, not of phases; a confidence not in (0, 1).
        DataError: as `estimate`, and points or phases of other intervals.
    """
    require_confidence(confidence)
    points, metrics = given.points(points).without_guards(), given.metrics(metrics)
    if not len(metrics):
        raise DataError("nothing was measured", hint="give metrics of the points")
    table = given.intervals(intervals)
    phases = given.phases(phases)
    of = _Threads(points, table, phases, metrics.with_instructions())
    wanted = None if names is None else given.names(names)
    first = _largest(table, np.flatnonzero(table.first_of_thread()), most)
    keys = zip(table.run[first].tolist(), table.thread[first].tolist(), strict=True)
    found = [of.estimate(run, thread, wanted, confidence) for run, thread in keys]
    return tuple(one for one in found if one.instructions)


def _largest(table: Intervals, first: NDArray[np.int64], most: int | None) -> NDArray[np.int64]:
    """The rows at which the threads with most instructions begin, in order."""
    if most is None or len(first) <= most:
        return first
    executed = np.add.reduceat(table.length, first)
    return np.sort(first[np.argsort(-executed, kind="stable")[:most]])


class _Threads:
    """What is alike for all threads."""

    def __init__(self, points: Points, table: Intervals, phases: Phases, metrics: Metrics) -> None:
        states = States.of(table, phases, "epm1")
        self._points, self._table, self._metrics = points, table, metrics
        self._rows = states.rows(points)
        self._label = np.argmax(states.membership, axis=1)
        self._k = states.k
        self._length = table.length.astype(np.float64)
        self._simulated = np.zeros(len(table), np.bool_)
        self._simulated[self._rows] = True
        self._stands = standing(points, self._length[self._rows], self._k)
        if points.strata is not None:
            self._points = _of_phases(points, phases, table)

    def estimate(
        self, run: int, thread: int, names: Sequence[str] | None, confidence: float
    ) -> ThreadEstimate:
        """That of one thread."""
        points, rows = self._points, self._rows
        mine = (self._table.run == run) & (self._table.thread == thread) & (self._table.length > 0)
        inside = mine[rows]
        size = np.bincount(self._label[mine], minlength=self._k)[points.phase]
        weight = self._weights(mine, inside)
        used = np.flatnonzero(weight > 0)
        whole = float(self._length[mine].sum())
        found = combined(
            self._weighted(used, weight[used], whole),
            self._metrics,
            names,
            confidence,
            within=Within(size[used], inside[used]),
        )
        missing = {name: tuple(used[list(at)].tolist()) for name, at in found.missing.items()}
        found = dataclasses.replace(found, missing=missing, notes=())
        return ThreadEstimate(run, thread, int(whole), int(np.count_nonzero(inside)), found)

    def _weights(self, mine: NDArray[np.bool_], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Instructions of the thread that each point stands for: its own, and of what was not simulated."""
        points, length, rows = self._points, self._length, self._rows
        left = mine & ~self._simulated
        rest = np.bincount(self._label[left], weights=length[left], minlength=self._k)
        shared = np.bincount(rows, minlength=len(length))[rows]
        own = np.where(inside, length[rows] / shared, 0.0)
        weight: NDArray[np.float64] = own + self._stands * rest[points.phase]
        return weight

    def _weighted(self, used: NDArray[np.int64], weight: NDArray[np.float64], whole: float) -> Points:
        """The points that tell of the thread, with their weights there."""
        if not len(used):
            return Points.none()
        columns = {
            name: getattr(self._points, name)[used]
            for name in (
                "run",
                "thread",
                "interval",
                "phase",
                "start",
                "end",
                "warmup",
                "population",
                "spread",
            )
        }
        total = float(weight.sum())
        covered = min(total / whole, 1.0)
        return Points(**columns, weight=weight / total, coverage=covered, method=self._points.method)
