"""Counting: how often each loop, call and return happens in each interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, shown
from phasemark.model import Counts, Intervals, Sites
from phasemark.model.trace import EventColumns, Trace

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Events that are counted at a time.
_AT_ONCE = 1 << 21


AnyTrace = TypeVar("AnyTrace", bound=Trace)


def count_events(trace: Trace | Iterable[Trace], intervals: Intervals) -> Counts:
    """How often each event happened in each interval: rows are intervals, columns the sites.

    An event belongs to the interval that holds the last instruction of its branch. Repeats of one that went
    on over a boundary are spread evenly over the instructions that it took.

    Args:
        trace: of one thread, or those of all threads that have intervals; read once, a stretch at a time.
        intervals: of these threads; what lies in no interval is not counted.

    Raises:
        DataError: a thread with intervals has no trace, or two traces are of different sites.
    """
    traces = listed(trace)
    columns = len(traces[0].sites) if traces else 0
    blocks = [block for _, block in blocks_of(traces, intervals)]
    data = np.concatenate([np.empty(0, np.int64), *(block.data for block in blocks)])
    indices = np.concatenate([np.empty(0, np.int32), *(block.indices for block in blocks)])
    sizes = np.concatenate([np.empty(0, np.int64), *(np.diff(block.indptr) for block in blocks)])
    return Counts(np.concatenate(([0], np.cumsum(sizes))), indices, data, columns)


def listed(trace: AnyTrace | Iterable[AnyTrace]) -> list[AnyTrace]:
    """Traces of one thread or several, in the order of threads.

    Raises:
        UsageError: one is no trace.
        DataError: two are of one thread, or of different sites.
    """
    several = isinstance(trace, Iterable) and not hasattr(trace, "chunks")
    traces = list(cast(Iterable[AnyTrace], trace)) if several else [cast(AnyTrace, trace)]
    for one in traces:
        if not hasattr(one, "chunks"):
            raise UsageError(
                f"{shown(one)} is no trace of a thread", hint="give Events, or what `run.events` has"
            )
    traces.sort(key=_thread)
    for before, after in pairwise(traces):
        if _thread(before) == _thread(after):
            raise DataError(f"two traces of {_words(after)}")
        if not _alike(before.sites, after.sites):
            raise DataError(
                f"the traces of {_words(before)} and {_words(after)} have different sites",
                hint="take the traces of one run",
            )
    return traces


def blocks_of(traces: list[Trace], intervals: Intervals) -> Iterator[tuple[int, csr_matrix]]:
    """The rows of `count_events` from the first on, some at a time, with the number of the first of them."""
    first = np.flatnonzero(intervals.first_of_thread())
    after = np.append(first[1:], len(intervals))[: len(first)]
    of_thread = {_thread(trace): trace for trace in traces}
    for begin, end in zip(first.tolist(), after.tolist(), strict=True):
        run, thread = int(intervals.run[begin]), int(intervals.thread[begin])
        if (run, thread) not in of_thread:
            raise DataError(f"no trace of thread {thread} of run {run}", row=begin)
        start = intervals.start[begin:end]
        ends = start + intervals.length[begin:end]
        for block in _blocks(of_thread[run, thread], start, ends):
            yield begin, block
            begin += block.shape[0]  # noqa: PLW2901


def _blocks(trace: Trace, start: NDArray[np.int64], end: NDArray[np.int64]) -> Iterator[csr_matrix]:
    """Rows of one thread. A row that the next events may still add to waits for them."""
    from scipy.sparse import csr_matrix

    columns, done, before = len(trace.sites), 0, 0
    waiting: tuple[NDArray[Any], ...] = (np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64))
    for events in chain.from_iterable(map(_pieces, trace.chunks())):
        placed = _placed(events, before, start, end)
        row, column, count = (np.concatenate((waiting[i], placed[i])) for i in range(3))
        before = int(events[2][-1])
        if not len(row):
            continue
        last = int(row[-1])
        block = csr_matrix((count, (row - done, column)), shape=(last - done + 1, columns))
        rest = block[-1:].tocoo()
        waiting = (np.full(rest.nnz, last), rest.col, rest.data)
        if last > done:
            yield block[:-1]
            done = last
    row, column, count = waiting
    yield csr_matrix((count, (row - done, column)), shape=(len(start) - done, columns))


def _pieces(events: EventColumns) -> Iterator[EventColumns]:
    symbol, repeats, position = events
    for first in range(0, len(symbol), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        yield symbol[part], repeats[part], position[part]


def _placed(
    events: EventColumns, before: int, start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Interval, site and count of events, in order; of one that went on over several, a row for each."""
    symbol, repeats, position = events
    since = np.concatenate(([before], position[:-1]))
    row = np.searchsorted(end, position)
    begun = np.where(repeats > 1, np.searchsorted(end, since + 1), row)
    inside = row < len(end)
    inside[inside] = start[row[inside]] < position[inside]
    long = (repeats > 1) & inside
    if np.array_equal(row, begun) and (since[long] >= start[row[long]]).all():
        return row[inside], symbol[inside], repeats[inside]
    pieces = row - begun + 1
    of = np.repeat(np.arange(len(symbol)), pieces)
    at = np.arange(len(of)) - np.repeat(np.cumsum(pieces) - pieces, pieces) + begun[of]
    inside = at < len(end)
    of, at = of[inside], at[inside]
    count = _until(end[at], since[of], position[of], repeats[of])
    count -= _until(start[at], since[of], position[of], repeats[of])
    some = count > 0
    return at[some], symbol[of[some]], count[some]


def _until(
    where: NDArray[np.int64],
    since: NDArray[np.int64],
    position: NDArray[np.int64],
    repeats: NDArray[np.int64],
) -> NDArray[np.int64]:
    """How many of the repeats lie up to some instruction."""
    # Exact up to 2^53; beyond, what rounding takes from one interval another one has.
    share = np.maximum(where - since, 0).astype(np.float64) * repeats / (position - since)
    return np.where(where >= position, repeats, np.minimum(np.floor(share), repeats - 1)).astype(np.int64)


def _thread(trace: Trace) -> tuple[int, int]:
    return trace.run, trace.thread


def _words(trace: Trace) -> str:
    return f"thread {trace.thread} of run {trace.run}"


def _alike(one: Sites, other: Sites) -> bool:
    if one is other:
        return True
    names = ("module", "offset", "kind")
    return one.modules == other.modules and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in names
    )
