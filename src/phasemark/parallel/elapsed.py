"""Elapsed time: what a run's phases take of it while threads run side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Timeline


@dataclass(frozen=True, eq=False)
class Elapsed:
    """The elapsed time of one run.

    Attributes:
        of_phases: k doubles that sum to `total`: each phase's part.
        total: elapsed while at least one thread ran.
        active: how many threads ran while a phase did, on average over the phase's time: k doubles, NaN of
            a phase that has no time.
        unknown: ticks in which threads ran, but the work of none of them is known; they are in no phase.
    """

    of_phases: NDArray[np.float64]
    total: float
    active: NDArray[np.float64]
    unknown: float


def elapsed(timeline: Timeline, work: NDArray[np.float64] | None = None) -> Elapsed:
    """Split the elapsed time of one run over its phases ("Detecting phases in parallel applications", 6.2).

    A slice of time in which the same threads run belongs to phase p for its part (threads in p) / (threads
    that run). So the parts of all phases sum to the elapsed time in which a thread ran.

    Without `work` a slice lasts its ticks. A clock of instructions runs as fast as all threads together, and
    is no measure of time; with `work`, each stretch's own (cycles or instructions of its thread), a slice
    lasts as long as the mean of what its threads did in it, each stretch's work being spread evenly over it.
    A run of one thread takes its own cycles; two threads that each do half of them, at once, take half.

    Args:
        timeline: of one run.
        work: of each row of the timeline; NaN where it is not known, which counts as the mean of the others
            in its slices; of idle rows anything.

    Raises:
        DataError: the timeline has several runs, or there is not one number a row.
    """
    if len(timeline) and timeline.run[0] != timeline.run[-1]:
        raise DataError("a timeline of several runs", hint="take one of them: timeline.of_run(0)")
    if work is not None and len(work) != len(timeline):
        raise DataError(f"work of {len(work):,} stretches, but the timeline has {len(timeline):,}")
    rows = np.flatnonzero(~timeline.idle & (timeline.end > timeline.start))
    start, end, phase = timeline.start[rows], timeline.end[rows], timeline.phase[rows]
    rate = np.ones(len(rows)) if work is None else work[rows] / (end - start)
    known = np.isfinite(rate)
    edges, at = np.unique(np.concatenate((start, end)), return_inverse=True)
    begins, ends = at[: len(rows)], at[len(rows) :]

    def running(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the threads that run, in each slice."""
        change = np.bincount(begins, weights, len(edges)) - np.bincount(ends, weights, len(edges))
        return np.asarray(np.cumsum(change)[:-1])

    threads = np.rint(running(np.ones(len(rows))))
    with_work = np.rint(running(known.astype(np.float64)))
    lasts = np.divide(
        running(np.where(known, rate, 0.0)), with_work, out=np.zeros(len(with_work)), where=with_work > 0
    ) * np.diff(edges)

    def over(slices: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the slices of each row, and over the rows of each phase."""
        until = np.concatenate(([0.0], np.cumsum(slices)))
        return np.bincount(phase, until[ends] - until[begins], timeline.phases).astype(np.float64)

    part = np.divide(lasts, threads, out=np.zeros(len(threads)), where=threads > 0)
    of_phases = over(part)
    active = np.divide(over(lasts), of_phases, out=np.full(timeline.phases, np.nan), where=of_phases > 0)
    unknown = float(np.diff(edges)[(threads > 0) & (with_work == 0)].sum())
    return Elapsed(of_phases, float(lasts.sum()), active, unknown)
