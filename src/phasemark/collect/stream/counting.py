"""What the timing model counted, as counters of intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.collect.stream.contents import Ints, RawCounters
from phasemark.collect.stream.reader import RawStream
from phasemark.model import Metrics

#: An interval of which a smaller share was counted is missing: what was counted would mislead. The last one
#: of a thread often lacks a little, since no two runs of a program are quite alike.
ENOUGH = 0.5


def metrics(
    stream: RawStream, thread: ArrayLike, index: ArrayLike, start: ArrayLike, end: ArrayLike
) -> tuple[Metrics, NDArray[np.int64]]:
    """Counters of n intervals of one run, each the sum of the records within it.

    Args:
        stream: of a process image, recorded with a timing model.
        thread, index, start, end: the intervals, ordered by thread and start; they do not overlap.

    Returns:
        Metrics, with a row for every interval that was counted, at least ENOUGH of it; and the rows of those
        that were not, ascending, int64. The counter `instructions` says how many were counted.

    Raises:
        DataError: the stream is malformed.
    """
    thread, index, start, end = (np.asarray(c, np.int64) for c in (thread, index, start, end))
    recorded = stream.counters
    row = _row_of_record(recorded, thread, start, end)
    inside = row >= 0
    sums = np.zeros((len(start), len(recorded.names)), np.int64)
    np.add.at(sums, row[inside], recorded.counts[inside])
    counted = np.zeros(len(start), np.int64)
    np.add.at(counted, row[inside], recorded.length[inside])
    there = (counted > 0) & (counted >= ENOUGH * (end - start))
    kept = np.flatnonzero(there)
    return Metrics(
        run=np.zeros(len(kept), np.int32),
        thread=thread[kept].astype(np.int32),
        index=index[kept],
        start=start[kept],
        length=(end - start)[kept],
        counters={name: sums[kept, at].astype(np.float64) for at, name in enumerate(recorded.names)},
    ), np.flatnonzero(~there)


def _row_of_record(recorded: RawCounters, thread: Ints, start: Ints, end: Ints) -> Ints:
    """The interval that each record lies in; -1 where it lies in none."""
    row = np.full(len(recorded), -1)
    for one in np.unique(recorded.thread):
        records, intervals = np.flatnonzero(recorded.thread == one), np.flatnonzero(thread == one)
        if not len(intervals):
            continue
        first, last = recorded.start[records], (recorded.start + recorded.length)[records]
        at = intervals[np.searchsorted(start[intervals], first, side="right").clip(1) - 1]
        inside = (start[at] <= first) & (last <= end[at])
        row[records[inside]] = at[inside]
    return row
