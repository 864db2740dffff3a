"""Levels: a metric over the intervals of each level (variable-length-intervals, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Intervals
from phasemark.quality.measured import Measured, measured
from phasemark.views.analysis import Analysis
from phasemark.views.threads import Thread

#: Levels that a figure has room for.
SHOWN = 5


@dataclass(frozen=True, eq=False)
class Level:
    """A metric of one thread, interval by interval of one cut.

    Attributes:
        name: which cut: `level 0`, `fixed length` ...
        start, length: of its intervals, instructions of the thread, int64.
        values: the metric's mean over each; NaN where nothing was measured.
    """

    name: str
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    values: NDArray[np.float64]


def levels(analysis: Analysis, thread: Thread, name: str, most: int = SHOWN) -> list[Level]:
    """A metric on levels of the hierarchy, the coarsest first, then over the intervals that were measured.

    A level's interval has the mean over the measured intervals that it shares instructions with, each
    counting by the part that they share: within one of these, the metric is taken as level.

    Args:
        analysis: of a run with a hierarchy and metrics.
        thread: of it.
        name: of the metric.
        most: levels, at most; of more the coarsest, the finest, and some between.

    Raises:
        DataError: there is no hierarchy, or the metric was not measured.
    """
    if analysis.hierarchy is None:
        raise DataError("the run has no hierarchy", hint="run `phasemark intervals` first")
    source, intervals = _measured(analysis, name)
    depth = analysis.hierarchy.depth
    chosen = np.unique(np.linspace(0, depth - 1, min(most, depth)).round().astype(int)).tolist()
    found = []
    for level in chosen:
        own = _of_thread(analysis.hierarchy.cut(level), thread)
        values = mean_over(source, intervals, own)
        found.append(Level(f"level {level}", own.start, own.length, values))
    rows = _of_thread(intervals, thread)
    last = (
        "fixed length" if analysis.fixed is not None and analysis.fixed.metrics is not None else "as chosen"
    )
    return [*found, Level(last, rows.start, rows.length, mean_over(source, intervals, rows))]


def _measured(analysis: Analysis, name: str) -> tuple[Measured, Intervals]:
    """The metric of the intervals of fixed length if they were measured, else of the run's own."""
    if analysis.fixed is not None and analysis.fixed.metrics is not None:
        intervals = analysis.fixed.profile.interval_table
        return measured(analysis.fixed.metrics, intervals, name), intervals
    if analysis.metrics is None:
        raise DataError(
            "there are no metrics of the intervals",
            hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
        )
    intervals = analysis.profile.interval_table
    return measured(analysis.metrics, intervals, name), intervals


def _of_thread(intervals: Intervals, thread: Thread) -> Intervals:
    own = (intervals.run == thread.run) & (intervals.thread == thread.thread)
    names = ("run", "thread", "index", "start", "length", "kind")
    return Intervals(*(getattr(intervals, name)[own] for name in names))


def mean_over(metric: Measured, of: Intervals, intervals: Intervals) -> NDArray[np.float64]:
    """A metric's mean over other intervals than those it was measured of; NaN where it was not measured.

    Args:
        metric: of the intervals `of`.
        of: what was measured.
        intervals: to have the mean of.
    """
    sums, weights = (np.zeros(len(intervals)) for _ in range(2))
    total = np.nan_to_num(metric.values) * metric.weights
    for run, thread in sorted(set(zip(intervals.run.tolist(), intervals.thread.tolist(), strict=True))):
        theirs = (of.run == run) & (of.thread == thread) & (of.length > 0)
        mine = np.flatnonzero((intervals.run == run) & (intervals.thread == thread))
        if not theirs.any():
            continue
        edges = np.stack([of.start[theirs], of.start[theirs] + of.length[theirs]], axis=1).ravel()
        for into, values in ((sums, total[theirs]), (weights, metric.weights[theirs])):
            after = np.cumsum(values)
            until = np.stack([after - values, after], axis=1).ravel()
            start, end = intervals.start[mine], intervals.start[mine] + intervals.length[mine]
            into[mine] = np.interp(end, edges, until) - np.interp(start, edges, until)
    # Differences of large sums: what was not measured may not come out as exactly 0.
    known = weights > 1e-9 * metric.weights.max(initial=0.0)
    return np.asarray(np.divide(sums, weights, out=np.full(len(sums), np.nan), where=known))
