"""Threads: whose intervals the rows of a profile are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Points


@dataclass(frozen=True)
class Thread:
    """A thread of a profile.

    Attributes:
        run, thread: which.
        label: how a title calls it; names the run where there are several.
        rows: its intervals.
        instructions: of all its intervals.
    """

    run: int
    thread: int
    label: str
    rows: slice
    instructions: int

    def points(self, points: Points) -> NDArray[np.bool_]:
        """Which of the points are of this thread."""
        return np.asarray((points.run == self.run) & (points.thread == self.thread))


def threads(intervals: Intervals) -> list[Thread]:
    """The threads, in the order of their rows."""
    firsts = np.flatnonzero(intervals.first_of_thread())
    ends = np.append(firsts, len(intervals))[1:]
    several = len(np.unique(intervals.run)) > 1
    return [
        _thread(intervals, slice(*rows), several) for rows in zip(firsts.tolist(), ends.tolist(), strict=True)
    ]


def longest(of: Sequence[Thread]) -> Thread:
    """The thread with most instructions; of equals the first."""
    return max(of, key=lambda thread: thread.instructions)


def _thread(intervals: Intervals, rows: slice, several_runs: bool) -> Thread:
    run, thread = int(intervals.run[rows.start]), int(intervals.thread[rows.start])
    label = f"run {run}, thread {thread}" if several_runs else f"thread {thread}"
    return Thread(run, thread, label, rows, int(intervals.length[rows].sum()))
