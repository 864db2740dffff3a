"""Profiles of several threads and runs, made up: the clock is all that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phasemark.model import OF_CORES, Blocks, Counts, Intervals, Metrics, Phases, Profile, Provenance
from phasemark.model.intervals import concatenate

#: (thread, phase, began, ended) of each interval, ordered by thread and time.
Rows = Sequence[tuple[int, int, int, int]]


def intervals_of(rows: Rows, *, run: int = 0, lengths: Sequence[int] | None = None) -> Intervals:
    """The intervals of a run; lengths are the ticks that each took unless told."""
    thread, _, began, ended = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    length = ended - began if lengths is None else np.array(lengths)
    fresh = np.concatenate(([True], np.diff(thread) != 0))
    first = np.maximum.accumulate(np.where(fresh, np.arange(len(rows)), 0))
    before = np.cumsum(length) - length
    return Intervals(
        np.full(len(rows), run), thread, np.arange(len(rows)) - first, before - before[first], length,
        np.zeros(len(rows)), began, ended,
    )  # fmt: skip


def profile_of(
    intervals: Intervals | Sequence[Intervals], length: int | None = 10, **details: Any
) -> Profile:
    """Of one block."""
    table = intervals if isinstance(intervals, Intervals) else concatenate(list(intervals))
    has = table.length > 0
    counts = Counts(
        np.concatenate(([0], np.cumsum(has))), np.zeros(has.sum(), np.int32), table.length[has], 1
    )
    blocks = Blocks(("/bin/prog",), [0], [0], [1], [1])  # type: ignore[arg-type]
    details = {"clock": OF_CORES, **details}
    provenance = Provenance("a test", command=("prog",), interval=length, details=details)
    return Profile(blocks, table, counts, provenance)


def phases_of(labels: Sequence[int]) -> Phases:
    return Phases(np.array(labels, np.int32), None, np.zeros(len(labels)))


def run_of(rows: Rows, length: int = 10) -> tuple[Profile, Phases]:
    return profile_of(intervals_of(rows), length), phases_of([row[1] for row in rows])


def cycles_of(profile: Profile, cycles: Sequence[float]) -> Metrics:
    table = profile.interval_table
    counters = {"cycles": np.array(cycles, float)}
    return Metrics(table.run, table.thread, table.index, table.start, table.length, counters)
