"""Clock: when each interval ran, on the clock that all threads of its run share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import OF_CORES, Intervals, Profile

#: The clock of a run of one thread, which needs no other.
OWN = "instructions"


@dataclass(frozen=True, eq=False)
class Ran:
    """When intervals ran, one row an interval.

    Attributes:
        began, ended: int64 ticks; gaps of a thread in which it was idle lie between its intervals, others
            are closed.
        clock: what a tick is.
    """

    began: NDArray[np.int64]
    ended: NDArray[np.int64]
    clock: str


def ran(profile: Profile) -> Ran:
    """When each interval of a profile ran ("Detecting phases in parallel applications", 5.4).

    Of a run of one thread whose clock is not known, its instructions are the clock. A thread is idle between
    two of its intervals if more time lies between them than an interval takes: as many ticks as it has
    instructions on phasemark's own clock (`model.OF_CORES`), on others as many as the thread's intervals
    mostly take. So long took an interval where it is known when it began, and not when it ended.

    Raises:
        DataError: a run has several threads and no clock.
    """
    intervals = profile.interval_table
    first = intervals.first_of_thread()
    if intervals.began is None:
        _require_single_threads(profile, first)
        return Ran(intervals.start, intervals.start + intervals.length, OWN)
    clock = str(profile.provenance.details.get("clock", "ticks"))
    pace = 1.0 if clock == OF_CORES else _usual(intervals, first)
    ended, limit = intervals.ended, _length(profile) * pace
    if ended is None:
        ended = intervals.began + np.rint(intervals.length * pace).astype(np.int64)
    following = np.append(intervals.began[1:], 0)[: len(intervals)]
    inner = ~np.append(first[1:], True)[: len(intervals)]
    close = inner & (following - ended <= limit)
    return Ran(intervals.began, np.where(close, following, ended), clock)


def _require_single_threads(profile: Profile, first: NDArray[np.bool_]) -> None:
    intervals, whose = profile.interval_table, profile.threads
    runs, threads = np.unique(intervals.run[first], return_counts=True)
    if (threads > 1).any():
        at = int(np.argmax(threads > 1))
        which = f"run {runs[at]}" if len(runs) > 1 else "the run"
        if whose is not None and len(set(whose.process[whose.run == runs[at]].tolist())) > 1:
            raise DataError(
                f"{which} has several processes, which have no clock in common",
                hint="record the program again with --process N, to look at the threads of one",
            )
        raise DataError(
            f"{which} has {counted(int(threads[at]), 'thread')}, and nothing says when each of them ran",
            hint="record the program again with `phasemark profile`, which keeps a clock of all threads",
        )


def _length(profile: Profile) -> float:
    """Of an interval: as asked for, or where they have no one length the mean."""
    lengths = profile.interval_table.length
    return float(profile.provenance.interval or (lengths.mean() if len(lengths) else 0))


def _usual(intervals: Intervals, first: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Ticks that an instruction of each thread mostly takes; of a thread with one interval: of its run."""
    assert intervals.began is not None
    inner = ~np.append(first[1:], True)[: len(first)] & (intervals.length > 0)
    took = np.append(np.diff(intervals.began), 0)[: len(first)] / np.maximum(intervals.length, 1)
    thread = np.cumsum(first) - 1
    of_all = float(np.median(took[inner])) if inner.any() else 1.0
    usual = np.full(int(first.sum()), of_all)
    bounds = np.append(np.flatnonzero(first), len(first))
    for number, (begin, end) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        if inner[begin:end].any():
            usual[number] = np.median(took[begin:end][inner[begin:end]])
    return np.asarray(usual[thread])
