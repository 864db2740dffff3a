"""Strip: which phase a thread is in, over its instructions (discovering-and-exploiting-phases, figure 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.views.analysis import Analysis
from phasemark.views.threads import Thread


@dataclass(frozen=True, eq=False)
class Strip:
    """The phases of one thread.

    Attributes:
        lanes: one a phase: (start, length) of its stretches, in instructions of the thread.
        middles: where in the thread its simulation points are, doubles.
        phases: for which phase each of these points stands, int32.
    """

    lanes: list[list[tuple[float, float]]]
    middles: NDArray[np.float64]
    phases: NDArray[np.int32]


def strip(analysis: Analysis, thread: Thread) -> Strip:
    """The phases of a thread's intervals, and its simulation points."""
    intervals, labels = analysis.profile.interval_table, analysis.phases.labels[thread.rows]
    start, length = intervals.start[thread.rows], intervals.length[thread.rows]
    lanes = [stretches(start, length, labels == phase) for phase in range(analysis.phases.k)]
    points, own = analysis.points, thread.points(analysis.points)
    return Strip(lanes, (points.start[own] + points.end[own]) / 2, points.phase[own])


def stretches(
    start: NDArray[np.int64], length: NDArray[np.int64], member: NDArray[np.bool_]
) -> list[tuple[float, float]]:
    """(start, length) of every stretch of neighbouring intervals that are members."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], member, [False])).astype(np.int8)))
    end = start + length
    return [(float(start[a]), float(end[b - 1] - start[a])) for a, b in edges.reshape(-1, 2).tolist()]
