"""Threads: whose intervals the rows of a profile are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Points, Profile


@dataclass(frozen=True)
class Thread:
    """A thread of a profile.

    Attributes:
        run, thread: which.
        label: how a title calls it; names the run where there are several.
        rows: its intervals.
        instructions: of all its intervals.
        short: a label where there is little room: `3`, of several runs `run.thread`.
    """

    run: int
    thread: int
    label: str
    rows: slice
    instructions: int
    short: str = ""

    def points(self, points: Points) -> NDArray[np.bool_]:
        """Which of the points are of this thread."""
        return np.asarray((points.run == self.run) & (points.thread == self.thread))


def threads(profile: Profile) -> list[Thread]:
    """The threads of a profile, in the order of their rows."""
    intervals = profile.interval_table
    firsts = np.flatnonzero(intervals.first_of_thread())
    ends = np.append(firsts, len(intervals))[1:]
    run, thread = intervals.run[firsts], intervals.thread[firsts]
    labels, several = _labels(profile, run, thread), len(np.unique(run)) > 1
    return [
        Thread(
            int(run[at]),
            int(thread[at]),
            labels[at],
            slice(first, end),
            int(intervals.length[first:end].sum()),
            f"{run[at]}.{thread[at]}" if several else str(thread[at]),
        )
        for at, (first, end) in enumerate(zip(firsts.tolist(), ends.tolist(), strict=True))
    ]


def longest(of: Sequence[Thread]) -> Thread:
    """The thread with most instructions; of equals the first."""
    return max(of, key=lambda thread: thread.instructions)


def _labels(profile: Profile, run: NDArray[np.int32], thread: NDArray[np.int32]) -> list[str]:
    """`thread 3`; with its process, or run, where there are several; of a run's only one `run 2`."""
    known, names = profile.threads, {}
    if known is not None:
        names = {key: known.name(at) for at, key in enumerate(_keys(known.run, known.thread))}
    of_run = np.bincount(run)
    several = np.count_nonzero(of_run) > 1
    labels = []
    for r, t in _keys(run, thread):
        name = names.get((r, t), f"thread {t}")
        if several:
            name = f"run {r}, {name}" if of_run[r] > 1 else f"run {r}"
        labels.append(name)
    return labels


def _keys(run: NDArray[np.int32], thread: NDArray[np.int32]) -> list[tuple[int, int]]:
    return list(zip(run.tolist(), thread.tolist(), strict=True))
