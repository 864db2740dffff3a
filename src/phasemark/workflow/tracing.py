"""A run's timeline as a trace, for viewers of traces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel
from phasemark.formats.trace_json import Trace
from phasemark.model import Metrics, Phases, Profile
from phasemark.quality.measured import rows_of
from phasemark.views.functions import hottest_functions
from phasemark.views.lanes import lanes_of
from phasemark.views.machine_names import short
from phasemark.views.scaling import named


def trace_of(profile: Profile, phases: Phases, metrics: Metrics | None) -> Trace:
    """The stretches of equal phase of all threads, with what they executed.

    Args:
        profile: of one run or several.
        phases: of its intervals.
        metrics: of its intervals; None: none.

    Raises:
        DataError: threads without a common clock, or phases or metrics of another profile.
    """
    line = parallel.timeline(profile, phases)
    group, rows = line.groups(), ~line.idle
    joined = line.stretches()
    intervals = profile.interval_table
    instructions = np.bincount(group[rows], intervals.length, len(joined)).astype(np.int64)
    cycles = None if metrics is None else _cycles(metrics, profile, group[rows], len(joined))
    names = [short(next(iter(hot), "")) for hot in hottest_functions(profile, phases, 1)]
    tracks = lanes_of(profile)
    return Trace(
        joined,
        instructions,
        cycles,
        [named(phase, names) for phase in range(phases.k)],
        {(lane.run, lane.thread): (lane.process, lane.process_name) for lane in tracks},
        {(lane.run, lane.thread): lane.name for lane in tracks},
        {"command": "phasemark export", "program": " ".join(profile.provenance.command)},
    )


def _cycles(
    metrics: Metrics, profile: Profile, group: NDArray[np.int64], groups: int
) -> NDArray[np.float64] | None:
    """Of each stretch; NaN where those of an interval are not known."""
    if "cycles" not in metrics.counters or len(metrics) < 2:
        return None
    rows = rows_of(metrics, profile.interval_table)
    cycles = np.where(rows >= 0, metrics.counters["cycles"][rows], np.nan)
    return np.bincount(group, cycles, groups).astype(np.float64)
