"""Threads of a run made one: what all of them do in the same stretch of time is one interval.

"Detecting Phases in Parallel Applications on Shared Memory Architectures" compares this with threads kept
apart and rejects it; so it is here, to be compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import KINDS, Counts, Intervals, Metrics, Profile, streamed
from phasemark.parallel.clock import ran
from phasemark.parallel.uniting import summed


@dataclass(frozen=True, eq=False)
class Merged:
    """What all threads of a run did, stretch by stretch.

    Attributes:
        profile: one thread a run; an interval holds the instructions of all threads that ran meanwhile.
        metrics: of these intervals; None where there were none.
        rows: int64: in which of its rows each interval of the threads is.
    """

    profile: Profile
    metrics: Metrics | None
    rows: NDArray[np.int64]


def merge(profile: Profile, metrics: Metrics | None = None, *, length: int | None = None) -> Merged:
    """Put together what the threads of each run did at the same time.

    Args:
        profile: of threads with a common clock.
        metrics: of all its intervals.
        length: ticks of a stretch; None: as many as an interval has instructions. An interval of a thread
            belongs to the stretch in which its middle is.

    Raises:
        DataError: a run has several threads and no clock, or metrics are not of all intervals.
    """
    table, when = profile.interval_table, ran(profile)
    ticks = length or profile.provenance.interval or int(table.length.max(initial=1))
    begin = np.zeros(int(table.run.max(initial=-1)) + 1, np.int64) + np.iinfo(np.int64).max
    np.minimum.at(begin, table.run, when.began)
    middle = when.began + (when.ended - when.began) // 2
    stretch = (middle - begin[table.run]) // max(ticks, 1)
    key = np.stack([table.run.astype(np.int64), stretch], axis=1)
    of, rows = np.unique(key, axis=0, return_inverse=True)
    rows = rows.reshape(-1).astype(np.int64)
    lengths = np.zeros(len(of), np.int64)
    np.add.at(lengths, rows, table.length)
    made = _intervals(of[:, 0].astype(np.int32), lengths, ticks)
    vectors = _summed(profile.vectors, rows, len(of))
    merged = replace(
        profile,
        interval_table=made,
        vectors=vectors,
        events=None,
        sites=None,
        markers=None,
        threads=None,
        reuse=None if profile.reuse is None else profile.reuse.summed(rows, len(of)),
    )
    return Merged(merged, metrics and _metrics(metrics, profile, made, rows), rows)


def _intervals(run: NDArray[np.int32], lengths: NDArray[np.int64], nominal: int) -> Intervals:
    n = len(run)
    first = np.concatenate(([True], np.diff(run) != 0))[:n]
    at = np.maximum.accumulate(np.where(first, np.arange(n), 0))
    before = np.cumsum(lengths) - lengths
    kind = np.full(n, KINDS.index("variable"), np.int8)
    return Intervals(run, np.zeros(n, np.int32), np.arange(n) - at, before - before[at], lengths, kind)


def _summed(vectors: Counts, rows: NDArray[np.int64], n: int) -> Counts:
    """Sums of the rows that are one; of more counts than are held, a stretch of the result at a time."""
    entries = np.bincount(rows, np.diff(vectors.indptr), n).astype(np.int64)
    ends = np.concatenate(([0], np.cumsum(entries)))
    bounds = [0]
    while bounds[-1] < n:
        # As many as are held, and one at least.
        last = int(np.searchsorted(ends, ends[bounds[-1]] + streamed.MOST_HELD, side="right")) - 1
        bounds.append(max(last, bounds[-1] + 1))

    def batches() -> Iterator[Counts]:
        for first, last in pairwise(bounds):
            yield _part(vectors, rows, first, last)

    indptr = np.concatenate([[0], *(np.diff(part.indptr) for part in batches())])
    return streamed.as_counts(np.cumsum(indptr), vectors.columns, batches)


def _part(vectors: Counts, rows: NDArray[np.int64], first: int, last: int) -> Counts:
    """Rows first to last - 1 of the sums."""
    row, column, data, at = [], [], [], 0
    for part in vectors.rows():
        whose = np.repeat(rows[at : at + len(part)], np.diff(part.indptr))
        some = (whose >= first) & (whose < last)
        row.append(whose[some] - first)
        column.append(part.indices[some].astype(np.int64))
        data.append(part.data[some])
        at += len(part)

    def whole(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
        return np.concatenate([np.empty(0, np.int64), *parts])

    return summed(whole(row), whole(column), whole(data), last - first, vectors.columns)


def _metrics(metrics: Metrics, profile: Profile, made: Intervals, rows: NDArray[np.int64]) -> Metrics:
    table = profile.interval_table
    at = metrics.rows(table.run, table.thread, table.index)
    if (table.length[at < 0] > 0).any():
        raise DataError("there are no metrics of some intervals", hint="measure the whole run")
    known = at >= 0
    counters = {}
    for name, values in metrics.counters.items():
        sums = np.zeros(len(made))
        np.add.at(sums, rows[known], values[at[known]])
        counters[name] = sums
    some = made.length > 0
    return Metrics(
        made.run[some],
        made.thread[some],
        made.index[some],
        made.start[some],
        made.length[some],
        {name: sums[some] for name, sums in counters.items()},
        metrics.units,
        metrics.source,
    )
