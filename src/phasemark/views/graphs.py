"""Graphs: a metric over the instructions (discovering-and-exploiting-phases, figure 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.quality.measured import Measured
from phasemark.views.analysis import Analysis
from phasemark.views.threads import Thread

#: Share of the instructions for which a graph must have room, and what is far above their values.
_NEARLY_ALL = 0.995
_FAR_ABOVE = 1.6


@dataclass(frozen=True, eq=False)
class Graph:
    """One metric of one thread.

    Attributes:
        x, y: a line that is level over each interval, with gaps where nothing was measured.
        middles, marks: where the thread's simulation points are, and the metric's value there.
        high: the largest value; 0 where nothing was measured.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    middles: NDArray[np.float64]
    marks: NDArray[np.float64]
    high: float


def graph(analysis: Analysis, thread: Thread, metric: Measured) -> Graph:
    """A metric over the instructions of a thread."""
    intervals, values = analysis.profile.interval_table, metric.values[thread.rows]
    x, y = levels(intervals.start[thread.rows], intervals.length[thread.rows], values)
    points = analysis.points
    own = thread.points(points) & (points.interval < len(values))
    middles = (points.start[own] + points.end[own]) / 2
    high = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    return Graph(x, y, middles, values[points.interval[own]], high)


def height(values: NDArray[np.float64], lengths: NDArray[np.int64]) -> float:
    """How high a graph must be for nearly all of its instructions: 99.5%, if the rest is far above.

    Args:
        values: of stretches; NaN where nothing was measured.
        lengths: instructions of these.
    """
    known = np.flatnonzero(np.isfinite(values) & (lengths > 0))
    if not len(known):
        return 0.0
    order = known[np.argsort(values[known], kind="stable")]
    until = np.cumsum(lengths[order], dtype=np.float64)
    most = float(values[order[np.searchsorted(until, _NEARLY_ALL * until[-1])]])
    highest = float(values[order[-1]])
    return most if highest > _FAR_ABOVE * most > 0 else highest


def levels(
    start: NDArray[np.int64], length: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of each interval, with its value at both."""
    ends = np.stack([start, start + length], axis=1).astype(np.float64)
    return ends.ravel(), np.repeat(values, 2)


def in_bins(metric: Measured, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """A metric's value in each bin of intervals; NaN where none of them has a value.

    Args:
        metric: of the intervals.
        bounds: see `bins.cut`.
    """
    if not len(metric.values):
        return metric.values
    # What has no value weighs nothing.
    sums = np.add.reduceat(np.nan_to_num(metric.values) * metric.weights, bounds[:-1])
    weights = np.add.reduceat(metric.weights, bounds[:-1])
    return np.asarray(np.divide(sums, weights, out=np.full(len(sums), np.nan), where=weights > 0))
