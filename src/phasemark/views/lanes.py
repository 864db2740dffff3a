"""Lanes: the phases of all threads side by side on one clock (parallel-phases, figures 1 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasemark import parallel
from phasemark.model import Profile, Timeline
from phasemark.views.analysis import Analysis


@dataclass(frozen=True)
class Lane:
    """One thread.

    Attributes:
        run, thread: which.
        process: a number that the threads of one process of one run share, from 0.
        process_name: how it is called.
        name: of the thread within it.
        label: how a picture calls it, short.
    """

    run: int
    thread: int
    process: int
    process_name: str
    name: str
    label: str


@dataclass(frozen=True, eq=False)
class Lanes:
    """All threads of all runs.

    Attributes:
        lanes: one a thread, in the order of the timeline.
        timeline: stretches of equal phase.
        first: row of the timeline at which each lane begins, and, last, their number: int64.
        runs: (run, how it is called, first lane, lane after its last).
    """

    lanes: list[Lane]
    timeline: Timeline
    first: np.ndarray
    runs: list[tuple[int, str, int, int]]

    def span(self, run: int) -> tuple[int, int]:
        """When a run begins and ends."""
        own = self.timeline.run == run
        return int(self.timeline.start[own].min()), int(self.timeline.end[own].max())


def lanes(analysis: Analysis) -> Lanes:
    """The lanes of a run.

    Raises:
        DataError: threads have no common clock.
    """
    line = parallel.timeline(analysis.profile, analysis.phases).stretches()
    first = np.flatnonzero(line.first_of_thread())
    every = lanes_of(analysis.profile)
    of_runs = []
    for run in np.unique(line.run).tolist():
        own = [at for at, lane in enumerate(every) if lane.run == run]
        threads = len(own)
        noun = "thread" if threads == 1 else "threads"
        of_runs.append((run, f"run {run}, {threads} {noun}", own[0], own[-1] + 1))
    return Lanes(every, line, np.append(first, len(line)), of_runs)


def is_possible(profile: Profile) -> bool:
    """Whether the profile says when its threads ran."""
    intervals = profile.interval_table
    if intervals.began is not None:
        return True
    first = intervals.first_of_thread()
    return len(np.unique(intervals.run[first])) == int(first.sum())


def lanes_of(profile: Profile) -> list[Lane]:
    """The threads of a profile, in the order of their rows."""
    intervals = profile.interval_table
    first = np.flatnonzero(intervals.first_of_thread())
    runs, threads = intervals.run[first].tolist(), intervals.thread[first].tolist()
    program = Path(profile.provenance.command[0]).name if profile.provenance.command else "program"
    several = len(set(runs)) > 1
    numbers = {run: number for number, run in enumerate(sorted(set(runs)))}
    return [
        Lane(
            run,
            thread,
            numbers[run],
            f"{program}, run {run}" if several else program,
            f"thread {thread}",
            f"{run}.{thread}" if several else str(thread),
        )
        for run, thread in zip(runs, threads, strict=True)
    ]
