"""Which stretches of a run to simulate: planned beforehand, so that one pass over the run serves them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Points, _show
from phasemark.model._check import column, put, require
from phasemark.model.options import require_whole
from phasemark.points.warmup import FACTOR, subset

if TYPE_CHECKING:
    import pandas as pd

Ints = NDArray[np.int64]

_COLUMNS = ("thread", "index", "warm", "start", "end")

#: Instructions to warm up before a point, unless told otherwise: as many as the point has, within these
#: bounds. Fewer leave the small memories cold, more gain nothing; docs/simulate.md has the figures.
LEAST_WARMUP, WARMUP = 500_000, 3_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """Windows of one run, ordered by thread and start, each once.

    Attributes:
        thread: thread of the run, in order of birth, int64.
        index: number of the interval in its thread, int64.
        warm: where the simulator is switched on before the window, instructions of the thread, int64.
        start, end: what is measured, instructions of the thread, half-open [start, end), int64.

    Raises:
        DataError: no window, one without instructions, a negative thread, columns of unlike lengths, or
            stretches [warm, end) of a thread that overlap.
    """

    thread: Ints
    index: Ints
    warm: Ints
    start: Ints
    end: Ints

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            put(self, name, column(name, getattr(self, name), np.int64, len(self.start)))
        if not len(self):
            raise DataError("there is nothing to simulate", hint="pick points first, or simulate everything")
        require((self.thread >= 0) & (self.index >= 0), "a thread, or the number of an interval, is negative")
        require(self.start < self.end, "a window has no instruction")
        require(
            (self.warm >= 0) & (self.warm <= self.start), "a warm-up begins elsewhere than before its window"
        )
        step, gap = np.diff(self.thread), self.warm[1:] - self.end[:-1]
        apart = (step > 0) | ((step == 0) & (gap >= 0))
        require(np.append(True, apart), "windows overlap, or are not ordered by thread and start")

    def __len__(self) -> int:
        return len(self.start)

    @property
    def measured(self) -> int:
        """Instructions in windows."""
        return int((self.end - self.start).sum())

    @property
    def simulated(self) -> int:
        """Instructions in windows and warm-ups."""
        return int((self.end - self.warm).sum())

    def without(self, rows: Ints) -> Plan:
        """The windows that are none of these rows.

        Raises:
            DataError: no window is left.
        """
        left = np.setdiff1d(np.arange(len(self)), rows)
        return Plan(*(getattr(self, name)[left] for name in _COLUMNS))

    def frame(self) -> pd.DataFrame:
        """A table with columns thread, index, warm, start, end; one row a window."""
        import pandas as pd

        return pd.DataFrame({name: getattr(self, name) for name in _COLUMNS})

    def __repr__(self) -> str:
        return _show.line(self, windows=len(self), measured=self.measured, simulated=self.simulated)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def of_points(points: Points, warmup: int | None = None) -> Plan:
    """The windows of points; points of one interval share one.

    Args:
        points: of one run.
        warmup: instructions before each point, clipped at the start of the thread; None: what the points
            ask for, and at least as many as the point has, within LEAST_WARMUP and WARMUP.

    Raises:
        UsageError: a negative warm-up.
        DataError: no points, points of several runs, or points that overlap.
    """
    before = _before(points, warmup)
    _check_run(points.run)
    order = np.lexsort((before, points.end, points.start, points.thread))
    last = np.ones(len(order), np.bool_)  # of equal ones that with the longest warm-up
    key = np.stack([points.thread, points.start, points.end, points.interval])[:, order]
    last[:-1] = (np.diff(key) != 0).any(axis=0)
    order = order[last]
    _check_apart(points, order)
    thread, start, end = (c[order].astype(np.int64) for c in (points.thread, points.start, points.end))
    warm = np.maximum(start - before[order], 0)
    return Plan(thread, points.interval[order], _merged(thread, warm, end), start, end)


def of_checks(points: Points, warmup: int | None = None) -> tuple[Plan, Points]:
    """The windows of points whose warm-up is checked, with points.FACTOR times as long a one.

    Args:
        points: of one run, some of them to be checked.
        warmup: of the points, as for `of_points`.

    Returns:
        The plan, and the points in it with their warm-up.

    Raises:
        UsageError: a negative warm-up.
        DataError: no point is to be checked, or as `of_points`.
    """
    before = _before(points, warmup)
    rows = np.zeros(0, np.int64) if points.check is None else np.flatnonzero(points.check)
    if not len(rows):
        raise DataError("no point's warm-up is to be checked", hint="phasemark points DIR --warmup-check 6")
    again = subset(points, rows, np.minimum(points.start[rows], FACTOR * before[rows]))
    return of_points(again), again


def _before(points: Points, warmup: int | None) -> Ints:
    """Instructions to warm up before each point."""
    require_whole(warmup=warmup)
    if warmup is not None and warmup < 0:
        raise UsageError(f"a warm-up of {warmup}", hint="give a number of instructions, 0 or more")
    least = np.clip(points.end - points.start, LEAST_WARMUP, WARMUP)
    before = np.maximum(points.warmup, least) if warmup is None else np.full(len(points), warmup)
    return np.asarray(before, np.int64)


def of_intervals(intervals: Intervals) -> Plan:
    """Every interval of a run that has instructions: the simulator is never switched off.

    Raises:
        DataError: intervals of several runs, or none.
    """
    _check_run(intervals.run)
    rows = np.flatnonzero(intervals.length > 0)
    start, length = intervals.start[rows], intervals.length[rows]
    thread = intervals.thread[rows].astype(np.int64)
    return Plan(thread, intervals.index[rows], start, start, start + length)


def _check_run(run: NDArray[np.int32]) -> None:
    if (run != 0).any():
        raise DataError(
            f"there are {len(np.unique(run))} runs, and one command makes one of them",
            hint="profile and simulate each run in a folder of its own",
        )


def _check_apart(points: Points, order: Ints) -> None:
    thread, start, end = points.thread[order], points.start[order], points.end[order]
    overlap = (np.diff(thread) == 0) & (start[1:] < end[:-1])
    if overlap.any():
        raise DataError(
            "the point begins before another one ends",
            row=int(order[1:][overlap][0]),
            hint="points must be intervals that do not overlap",
        )


def _merged(thread: Ints, warm: Ints, end: Ints) -> Ints:
    """Warm-ups that do not overlap what is simulated before: that part is on in any case.

    A long warm-up that reaches back beyond the window before becomes a longer one of that window.
    """
    out = warm.copy()
    for one in np.unique(thread):
        rows = np.flatnonzero(thread == one)
        out[rows] = np.minimum.accumulate(out[rows][::-1])[::-1]
        out[rows[1:]] = np.maximum(out[rows[1:]], end[rows[:-1]])
    return out
