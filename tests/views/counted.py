"""A run that a person can count: two threads, three blocks, three phases."""

from __future__ import annotations

import numpy as np
from tests.views.synthetic import counts_of

from phasemark.model import (
    Blocks,
    Intervals,
    Metrics,
    Phases,
    Points,
    Profile,
    Provenance,
    Recipe,
    Signatures,
)
from phasemark.model.intervals import concatenate
from phasemark.views import Analysis

#: Instructions of blocks a, b, c in the intervals of thread 0, then of thread 3.
COUNTS = [[10, 0, 0], [8, 2, 0], [0, 10, 0], [10, 0, 0], [0, 3, 0], [0, 0, 20], [0, 0, 30]]
LABELS = [0, 0, 1, 0, 1, 2, 2]


def run(**changes: object) -> Analysis:
    """Thread 0 has intervals of 10, 10, 10, 10, 3 instructions, thread 3 of 20 and 30."""
    counts = np.array(COUNTS)
    lengths = counts.sum(axis=1)
    intervals = concatenate(
        [Intervals.of_thread(lengths[:5], nominal=10), Intervals.of_thread(lengths[5:], thread=3)]
    )
    blocks = Blocks(
        ("/bin/prog",), [0, 0, 0], [0, 16, 32], [1, 1, 1], [4, 4, 4],
        function=("copy", "sort", "main"), file=("a.c", "a.c", ""), line=np.array([7, 9, 0]),
    )  # fmt: skip
    provenance = Provenance("hand", "1", "", ("/bin/prog", "-x"), interval=10, warnings=("a warning",))
    profile = Profile(blocks, intervals, counts_of(counts), provenance)
    weights = lengths / lengths.sum()
    signatures = Signatures(counts / lengths[:, None], weights, Recipe("l1", "uniform", 3, 1, "id"))
    labels = np.array(LABELS, np.int32)
    phases = Phases(labels, np.eye(3), np.zeros(7), model={"seed": 1})
    # Interval 1 and 4 of thread 0 for phases 0 and 1, interval 1 of thread 3 for phase 2.
    points = Points(
        [0, 0, 0], [0, 0, 3], [1, 4, 1], [0, 1, 2], [10, 40, 20], [20, 43, 50], [5, 0, 0],
        [30 / 93, 13 / 93, 50 / 93],
    )  # fmt: skip
    values: dict[str, object] = {
        "profile": profile, "signatures": signatures, "phases": phases, "points": points, **changes,
    }  # fmt: skip
    return Analysis(**values)  # type: ignore[arg-type]


def metrics(cpi: list[float]) -> Metrics:
    """Cycles by interval, of CPI."""
    t = run().profile.interval_table
    return Metrics(t.run, t.thread, t.index, t.start, t.length, {"cycles": np.array(cpi) * t.length})
