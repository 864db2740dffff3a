"""How much all threads of a run have executed when one of them comes to a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Points, Profile
from phasemark.parallel.clock import ran

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reached:
    """Instructions of all threads of a point's run, n int64 each, when its thread comes to it.

    Attributes:
        warm: where the point's warm-up begins.
        start, end: where the point does, and where it ends.
        clock: what tells which threads ran meanwhile.
    """

    warm: Ints
    start: Ints
    end: Ints
    clock: str


def reached(profile: Profile, points: Points) -> Reached:
    """How far all threads are at points, on the clock that they share.

    An interval's instructions are spread evenly over the time that it took. On a machine whose threads are
    not all as fast as one another they are elsewhere by then; of a run of one thread it is its own count.

    Raises:
        DataError: threads of a run have no common clock.
    """
    when = ran(profile)
    table = profile.interval_table
    ended = when.ended if table.began is None or table.ended is None else table.ended
    of = _Runs(table, when.began, ended)
    columns = (points.start - points.warmup, points.start, points.end)
    warm, start, end = (
        np.array(
            [
                of.executed(run, of.moment(run, thread, position, is_end=column is points.end))
                for run, thread, position in zip(
                    points.run.tolist(), points.thread.tolist(), column.tolist(), strict=True
                )
            ],
            np.int64,
        )
        for column in columns
    )
    return Reached(warm, start, end, when.clock)


class _Runs:
    def __init__(self, table: Intervals, began: Ints, ended: Ints) -> None:
        self._table = table
        self._began = began.astype(np.float64)
        self._took = np.maximum(ended - began, 1).astype(np.float64)
        self._rows = {
            (run, thread): np.flatnonzero((table.run == run) & (table.thread == thread))
            for run, thread in set(zip(table.run.tolist(), table.thread.tolist(), strict=True))
        }

    def moment(self, run: int, thread: int, position: int, *, is_end: bool) -> float:
        """When a thread is at a position; at the end of an interval before it may wait, not after."""
        rows = self._rows.get((run, thread), np.empty(0, np.int64))
        if not len(rows):
            return 0.0
        start = self._table.start[rows]
        at = int(np.searchsorted(start, position, side="left" if is_end else "right")) - 1
        row = rows[max(at, 0)]
        length = max(int(self._table.length[row]), 1)
        share = min(max((position - int(self._table.start[row])) / length, 0.0), 1.0)
        return float(self._began[row] + share * self._took[row])

    def executed(self, run: int, moment: float) -> int:
        """Instructions of all threads of a run until then."""
        mine = self._table.run == run
        share = np.clip((moment - self._began[mine]) / self._took[mine], 0.0, 1.0)
        return int(np.rint(self._table.length[mine] @ share))
