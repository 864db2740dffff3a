"""Recorded intervals -> the intervals of the profile: which rows are added up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import KINDS, Intervals

#: What `auto` aims at: so many intervals in the longest thread, of at least so many instructions.
TARGET_INTERVALS = 1000
SHORTEST_AUTO = 10_000

_FIXED, _TAIL = KINDS.index("fixed"), KINDS.index("tail")


def chosen_length(streams: Sequence[RawStream]) -> int:
    """The profile's interval length: as asked for, or for `auto` a multiple of the lengths at the end.

    With `auto` lengths double as a thread runs, so the longest interval of all divides into every
    boundary of every thread.

    Raises:
        DataError: the streams were recorded with different intervals.
    """
    first = streams[0].header
    for stream in streams[1:]:
        if (stream.header.interval, stream.header.auto) != (first.interval, first.auto):
            raise DataError(
                f"{stream.path} was recorded with intervals of {stream.header.interval:,} instructions, "
                f"{streams[0].path} of {first.interval:,}",
                hint="record them with one --interval",
            )
    if not first.auto:
        return first.interval
    longest = max((int(s.intervals.length.max()) for s in streams if len(s.intervals)), default=0)
    unit = first.interval
    while unit < longest:
        unit *= 2
    most = max(s.longest_thread for s in streams)
    least = -(-SHORTEST_AUTO // unit)
    return unit * max(least, round(most / TARGET_INTERVALS / unit))


def merged(stream: RawStream, length: int, *, run: int = 0) -> tuple[Ints, Intervals]:
    """Intervals of `length` instructions, made of whole recorded ones.

    Returns:
        The first recorded row of every interval, and the intervals. The last one of a thread is its
        `tail` if it is shorter; threads are numbered by birth.
    """
    recorded = stream.intervals
    index = recorded.start // length
    begins = (np.diff(recorded.thread, prepend=-1) != 0) | (np.diff(index, prepend=-1) != 0)
    first = np.flatnonzero(begins)
    sums = np.add.reduceat(recorded.length, first) if len(first) else np.empty(0, np.int64)
    kind = np.where(sums < length, _TAIL, _FIXED).astype(np.int8)
    runs = np.full(len(first), run, np.int32)
    threads = recorded.thread[first].astype(np.int32)
    try:
        table = Intervals(runs, threads, index[first], recorded.start[first], sums, kind)
    except DataError as error:
        raise error.at(stream.path) from error
    return first, table
