"""Lanes: the phases of all threads side by side on one clock (parallel-phases, figures 1, 2 and 6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel
from phasemark.errors import counted
from phasemark.model import Profile, Timeline
from phasemark.quality.measured import Measured
from phasemark.views.analysis import Analysis


@dataclass(frozen=True)
class Lane:
    """One thread.

    Attributes:
        run, thread: which.
        process: a number that the threads of one process of one run share, from 0.
        process_name: how it is called.
        name: of the thread within it.
    """

    run: int
    thread: int
    process: int
    process_name: str
    name: str


@dataclass(frozen=True, eq=False)
class Lanes:
    """All threads of all runs.

    Attributes:
        lanes: one a thread, in the order of the timeline.
        timeline: one row an interval or idle stretch.
        first: row of the timeline at which each lane begins, and, last, their number.
        runs: their numbers.
    """

    lanes: list[Lane]
    timeline: Timeline
    first: NDArray[np.int64]
    runs: list[int]

    def of_run(self, run: int) -> list[int]:
        """The lanes of a run."""
        return [at for at, lane in enumerate(self.lanes) if lane.run == run]

    def rows(self, lane: int) -> slice:
        """The rows of a lane in the timeline."""
        return slice(int(self.first[lane]), int(self.first[lane + 1]))

    def span(self, run: int) -> tuple[int, int]:
        """When a run begins and ends."""
        own = self.timeline.run == run
        return int(self.timeline.start[own].min()), int(self.timeline.end[own].max())

    def title(self, run: int) -> str:
        """`run 1: 4 threads`; of a single run `4 threads`."""
        threads = counted(len(self.of_run(run)), "thread")
        return f"run {run}: {threads}" if len(self.runs) > 1 else threads

    def stretches(
        self, lane: int, most: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
        """Start, end and phase of what a lane shows; where that is more than `most`, by columns of the run.

        A column has the phase, or the idleness, that takes most of it.
        """
        line, rows = self.timeline, self.rows(lane)
        fresh = np.flatnonzero(np.diff(line.phase[rows], prepend=-2))
        if len(fresh) <= most:
            last = np.append(fresh[1:], rows.stop - rows.start) - 1
            start, end = line.start[rows][fresh], line.end[rows][last]
            return start.astype(np.float64), end.astype(np.float64), line.phase[rows][fresh]
        edges = np.linspace(*self.span(self.lanes[lane].run), most + 1)
        parts = np.stack([_within(line, rows, line.phase[rows] == p, edges) for p in range(-1, line.phases)])
        phase = np.argmax(parts, axis=0).astype(np.int32) - 1
        fresh = np.flatnonzero(np.diff(phase, prepend=-2))
        return edges[:-1][fresh], np.append(edges[fresh[1:]], edges[-1]), phase[fresh]

    def values(
        self, lane: int, metric: Measured, most: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Start, end and value of a metric along a lane; NaN where it is idle or was not measured.

        Of more than `most` stretches, the mean over each of `most` columns of the run.
        """
        line, rows = self.timeline, self.rows(lane)
        value = np.full(rows.stop - rows.start, np.nan)
        ahead = int(np.count_nonzero(~line.idle[: rows.start]))
        own = ~line.idle[rows]
        value[own] = metric.values[ahead : ahead + int(own.sum())]
        if len(value) <= most:
            return line.start[rows].astype(np.float64), line.end[rows].astype(np.float64), value
        edges = np.linspace(*self.span(self.lanes[lane].run), most + 1)
        known = np.isfinite(value)
        time = _within(line, rows, known, edges)
        sums = _within(line, rows, np.where(known, value, 0.0), edges)
        mean = np.divide(sums, time, out=np.full(most, np.nan), where=time > 1e-9 * (edges[1] - edges[0]))
        return edges[:-1], edges[1:], mean


def _within(
    line: Timeline, rows: slice, values: NDArray[np.generic], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Integral of values of stretches over time between edges."""
    took = (line.end - line.start)[rows]
    at = np.append(line.start[rows], line.end[rows][-1])
    until = np.concatenate(([0.0], np.cumsum(took * values.astype(np.float64))))
    return np.asarray(np.diff(np.interp(edges, at, until)))


def lanes(analysis: Analysis) -> Lanes:
    """The lanes of a run.

    Raises:
        DataError: threads have no common clock.
    """
    line = parallel.timeline(analysis.profile, analysis.phases)
    first = np.append(np.flatnonzero(line.first_of_thread()), len(line))
    return Lanes(lanes_of(analysis.profile), line, first, np.unique(line.run).tolist())


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
    processes = dict.fromkeys(zip(runs, threads, strict=True), (1, ""))
    if profile.threads is not None:
        of = profile.threads
        keys = zip(of.run.tolist(), of.thread.tolist(), of.process.tolist(), of.program, strict=True)
        processes |= {(run, thread): (process, name) for run, thread, process, name in keys}
    several_runs = len(set(runs)) > 1
    owners = sorted({(key[0], process) for key, (process, _) in processes.items()})
    several = {run for run, many in Counter(run for run, _ in owners).items() if many > 1}
    number = {owner: at for at, owner in enumerate(owners)}
    found = []
    for key in zip(runs, threads, strict=True):
        process, name = processes[key]
        words = [name or program, *([f"process {process}"] if key[0] in several else [])]
        title = ", ".join([*words, *([f"run {key[0]}"] if several_runs else [])])
        found.append(Lane(*key, number[key[0], process], title, f"thread {key[1]}"))
    return found
