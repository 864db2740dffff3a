"""Timelines: the phases of all threads of a run on one clock, and who waits when."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import Profile, Timeline, given
from phasemark.model.given import PhasesLike
from phasemark.parallel.clock import Ran, ran


def timeline(profile: Profile, phases: PhasesLike) -> Timeline:
    """When each thread of each run was in which phase, and when it was idle.

    "Detecting phases in parallel applications", section 5.4: intervals in the order of the run's clock. A
    thread is idle where more time passes between two of its intervals than an interval takes, before its
    first one, and after its last. Shorter gaps belong to the interval before.

    Args:
        profile: of one or several runs; of several threads with when their intervals began, as
            `phasemark profile` records it.
        phases: of its intervals.

    Returns:
        One row an interval or idle stretch, in ticks of the profile's clock (`details["clock"]`). On that of
        phasemark's collector a tick is an instruction of each thread that runs, as if each had a core of its
        own; of a run of one thread its instructions are the clock.

    Raises:
        DataError: the phases are of another profile, or threads of a run have no common clock.
    """
    phases = given.phases(phases)
    intervals = profile.interval_table
    if len(phases) != len(intervals):
        raise DataError(
            f"phases of {counted(len(phases), 'interval')}, but the profile has {len(intervals):,}",
            hint="find the phases of this profile",
        )
    when = ran(profile)
    first = intervals.first_of_thread()
    begin, end = _bounds(intervals.run, when)
    last = np.append(first[1:], True)[: len(intervals)]
    before = np.where(first, begin, np.append(0, when.ended[:-1])[: len(intervals)])
    ahead = np.flatnonzero(when.began > before)  # rows with an idle stretch ahead of them
    behind = np.flatnonzero(last & (when.ended < end))
    row = np.concatenate((ahead, np.arange(len(intervals)), behind))
    idle = np.concatenate(
        (np.ones(len(ahead), bool), np.zeros(len(intervals), bool), np.ones(len(behind), bool))
    )
    start = np.concatenate((before[ahead], when.began, when.ended[behind]))
    until = np.concatenate((when.began[ahead], when.ended, end[behind]))
    place = np.concatenate((3 * ahead, 3 * np.arange(len(intervals)) + 1, 3 * behind + 2))
    order = np.argsort(place)
    row, idle = row[order], idle[order]
    return Timeline(
        intervals.run[row],
        intervals.thread[row],
        np.where(idle, -1, intervals.index[row]),
        np.where(idle, -1, phases.labels[row]),
        start[order],
        until[order],
        when.clock,
        phases.k,
    )


def _bounds(run: NDArray[np.int32], when: Ran) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """When the run of each row began and ended."""
    if not len(run):
        return when.began, when.ended
    at = np.flatnonzero(np.concatenate(([True], np.diff(run) != 0)))
    of_run = np.repeat(np.arange(len(at)), np.diff(np.append(at, len(run))))
    return np.minimum.reduceat(when.began, at)[of_run], np.maximum.reduceat(when.ended, at)[of_run]
