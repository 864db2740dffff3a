"""Rows: the intervals, or on a long run several neighbours at a time, that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model.intervals import KINDS, Intervals
from phasemark.views import bins
from phasemark.views.analysis import Analysis
from phasemark.views.threads import Thread

#: Of intervals that are alike in length, their lengths' deviation is at most this share of the mean.
_ALIKE = 0.25


@dataclass(frozen=True, eq=False)
class Rows:
    """Neighbouring intervals of one thread gathered, none left out.

    Attributes:
        bounds: the rows' first intervals and, last, the number of intervals (see `bins.cut`).
        start, length: of each row, instructions of its thread, int64.
        index: number of its first interval in the thread, int64.
        count: its intervals, int64.
        phase: the phase with most of its instructions, int32.
        breaks: whether it is the first of its thread.
        even: whether the intervals are alike in length, but for the last of each thread, and none is of
            variable length.
    """

    bounds: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    index: NDArray[np.int64]
    count: NDArray[np.int64]
    phase: NDArray[np.int32]
    breaks: NDArray[np.bool_]
    even: bool = True

    def __len__(self) -> int:
        return len(self.count)

    @property
    def group(self) -> NDArray[np.int64]:
        """The row of each interval."""
        return np.repeat(np.arange(len(self)), self.count)

    def of_thread(self, thread: Thread) -> tuple[int, int]:
        """A thread's rows: [first, last)."""
        first, last = np.searchsorted(self.bounds, (thread.rows.start, thread.rows.stop)).tolist()
        return first, last

    def cells(self, limit: int) -> NDArray[np.int64]:
        """The first rows of about `limit` cells of a matrix and, last, the number of rows.

        Cells end where threads do, unless there are so many threads that this would make too many.
        """
        breaks = self.breaks
        if breaks.sum() > limit // 2:
            breaks = np.arange(len(self)) == 0
        return bins.cut(breaks, limit, None if self.even else self.length)


def rows(analysis: Analysis, limit: int) -> Rows:
    """The intervals in rows, about `limit` at most."""
    intervals = analysis.profile.interval_table
    breaks = intervals.first_of_thread()
    alike = not _variable(intervals) and even(intervals.length, breaks)
    bounds = bins.cut(breaks, limit, None if alike else intervals.length)
    first = bounds[:-1]
    return Rows(
        bounds,
        intervals.start[first],
        np.add.reduceat(intervals.length, first) if len(first) else intervals.length,
        intervals.index[first],
        np.diff(bounds),
        bins.majority(bounds, analysis.phases.labels, analysis.signatures.weights),
        breaks[first],
        alike,
    )


def _variable(intervals: Intervals) -> bool:
    """Whether intervals were cut where the program's behaviour changes, and are not of one length."""
    variable = np.isin(intervals.kind, (KINDS.index("variable"), KINDS.index("transition")))
    return bool(variable.any()) and np.unique(intervals.length).size > 1


def even(length: NDArray[np.int64], first: NDArray[np.bool_]) -> bool:
    """Whether lengths are much alike in each thread; the last of each does not count, nor does an empty one.

    Args:
        length: of intervals, or of several of them together.
        first: whether each is the first of its thread.
    """
    inner = ~np.append(first[1:], True)[: len(first)] & (length > 0)
    if not inner.any():
        return True
    thread, lengths = (np.cumsum(first) - 1)[inner], length[inner].astype(np.float64)
    mean = np.bincount(thread, lengths) / np.maximum(1, np.bincount(thread))
    return float((lengths / mean[thread]).std()) <= _ALIKE
