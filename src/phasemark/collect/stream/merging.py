"""Recorded intervals -> the intervals of the profile: which rows are added up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import KINDS, Intervals

#: What `auto` aims at: so many intervals in the longest thread, of at least so many instructions.
TARGET_INTERVALS = 1000
SHORTEST_AUTO = 10_000

#: How much of a stream is decoded at a time, bytes.
_BATCH = 1 << 20

_FIXED, _VARIABLE, _TAIL = (KINDS.index(kind) for kind in ("fixed", "variable", "tail"))


def chosen_length(streams: Sequence[RawStream]) -> int | None:
    """The profile's interval length: as asked for, or for `auto` a multiple of the lengths at the end.

    With `auto` lengths double as a thread runs, so the longest interval of all divides into every
    boundary of every thread. None: they were cut at positions.

    Raises:
        DataError: the streams were recorded with different intervals.
    """
    first = streams[0].header
    for stream in streams[1:]:
        if (stream.header.interval, stream.header.auto, stream.header.cuts) != (
            first.interval,
            first.auto,
            first.cuts,
        ):
            raise DataError(
                f"{stream.path} was recorded with intervals of {stream.header.interval:,} instructions, "
                f"{streams[0].path} of {first.interval:,}",
                hint="record them with one --interval",
            )
    if first.cuts:
        return None
    if not first.auto:
        return first.interval
    longest = max((int(s.intervals.length.max()) for s in streams if len(s.intervals)), default=0)
    unit = first.interval
    while unit < longest:
        unit *= 2
    most = max(s.longest_thread for s in streams)
    least = -(-SHORTEST_AUTO // unit)
    return unit * max(least, round(most / TARGET_INTERVALS / unit))


def batches(stream: RawStream, first: Ints) -> Iterator[tuple[slice, slice]]:
    """Some intervals at a time: which, and their recorded rows; interval i begins with row first[i]."""
    table = stream.intervals
    ends = np.append(first[1:], len(table))
    size = np.cumsum(table.end - table.begin)
    at = 0
    while at < len(first):
        limit = (size[first[at] - 1] if first[at] else 0) + _BATCH
        stop = max(int(np.searchsorted(size[ends - 1], limit, side="right")), at + 1)
        yield slice(at, stop), slice(int(first[at]), int(ends[stop - 1]))
        at = stop


def as_cut(stream: RawStream, *, run: int = 0) -> tuple[Ints, Intervals]:
    """The recorded intervals of a run that was cut at positions, each with when it began.

    Returns:
        As `merged`; all intervals are `variable`.
    """
    recorded, begun = stream.intervals, stream.beginnings
    row = np.arange(len(recorded))
    index = _numbered(np.diff(recorded.thread, prepend=-1) != 0)
    began = _began(stream, row)
    if began is None:  # older streams have the clock with markers alone
        at = begun.rows_at(recorded.thread, recorded.start)
        began = begun.clock[at] if (at >= 0).all() else None
    try:
        table = Intervals(
            np.full(len(recorded), run, np.int32),
            recorded.thread.astype(np.int32),
            index,
            recorded.start,
            recorded.length,
            np.full(len(recorded), _VARIABLE, np.int8),
            began=began,
            ended=_ended(stream, row),
        )
    except DataError as error:
        raise error.at(stream.path) from error
    return row, table


def _numbered(first_of_thread: NDArray[np.bool_]) -> Ints:
    """Numbers from 0 within each thread."""
    row = np.arange(len(first_of_thread))
    return row - np.maximum.accumulate(np.where(first_of_thread, row, 0))


def _began(stream: RawStream, first: Ints) -> Ints | None:
    """The time when each interval began; None where nothing says so."""
    recorded, order = stream.intervals, stream.order
    at = order.rows_at(recorded.thread[first], recorded.start[first])
    return order.clock[at] if len(first) and (at >= 0).all() else None


def _ended(stream: RawStream, first: Ints) -> Ints | None:
    """The time when each interval's last instruction was done; None where nothing says when it began.

    A thread that was killed has no end: its last interval is taken not to have waited.
    """
    recorded, order, began = stream.intervals, stream.order, _began(stream, first)
    if began is None:
        return None
    last = np.append(first[1:], len(recorded)) - 1
    length = (recorded.start + recorded.length)[last] - recorded.start[first]
    end = order.rows_at(recorded.thread[last], (recorded.start + recorded.length)[last])
    return np.where(end >= 0, order.stopped[end], began + length)


def _waited(stream: RawStream, length: int) -> NDArray[np.bool_]:
    """Whether the thread had waited before each recorded interval for longer than one takes."""
    recorded, order = stream.intervals, stream.order
    at = order.rows_at(recorded.thread, recorded.start)
    if not len(order):
        return np.zeros(len(recorded), np.bool_)
    return (at >= 0) & ((order.clock - order.stopped)[at] > length)


def merged(stream: RawStream, length: int, *, run: int = 0, timed: bool = False) -> tuple[Ints, Intervals]:
    """Intervals of `length` instructions, made of whole recorded ones.

    Returns:
        The first recorded row of every interval, and the intervals. One that is shorter is a `tail`: the
        last of a thread, and where a thread waited for longer than an interval takes.
        Threads are numbered by birth. `timed` ones say when each began and ended, if that was recorded.
    """
    recorded = stream.intervals
    index = recorded.start // length
    first_of_thread = np.diff(recorded.thread, prepend=-1) != 0
    begins = first_of_thread | (np.diff(index, prepend=-1) != 0) | _waited(stream, length)
    first = np.flatnonzero(begins)
    sums = np.add.reduceat(recorded.length, first) if len(first) else np.empty(0, np.int64)
    kind = np.where(sums < length, _TAIL, _FIXED).astype(np.int8)
    runs = np.full(len(first), run, np.int32)
    threads = recorded.thread[first].astype(np.int32)
    began, ended = (_began(stream, first), _ended(stream, first)) if timed else (None, None)
    try:
        table = Intervals(
            runs, threads, _numbered(first_of_thread[first]), recorded.start[first], sums, kind, began, ended
        )
    except DataError as error:
        raise error.at(stream.path) from error
    return first, table
