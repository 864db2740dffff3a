"""Points beside the same intervals of the full run, as pure functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Metrics, Points
from phasemark.signatures import EVENTS

#: What is counted, per instruction.
COUNTERS = ("cycles", *EVENTS)

Floats = NDArray[np.float64]


def compared(points: Points, some: Metrics, full: Metrics) -> dict[str, Any]:
    """How far points are off.

    Args:
        points: with their weights.
        some: what was counted in the points alone.
        full: the same of every interval.

    Returns:
        `bias`: by counter, by how much the value over all points is too high, relative to that of the same
        intervals; None where these have none. `mpki`: that value, a thousand instructions. `median`,
        `largest`: of the relative differences of the points' CPI, without their signs.
    """
    ours = some.rows(points.run, points.thread, points.interval)
    theirs = full.rows(points.run, points.thread, points.interval)
    bias, level = {}, {}
    for name in (name for name in COUNTERS if name in full.counters):
        found = float(points.weight @ _ratio(some, name, ours))
        true = float(points.weight @ _ratio(full, name, theirs))
        bias[name] = found / true - 1 if true else None
        level[name] = 1000 * true
    off = np.abs(_ratio(some, "cycles", ours) / _ratio(full, "cycles", theirs) - 1)
    return {"bias": bias, "mpki": level, "median": float(np.median(off)), "largest": float(off.max())}


def _ratio(metrics: Metrics, name: str, rows: NDArray[np.int64]) -> Floats:
    """Of a counter, per instruction, in some rows."""
    return np.asarray(metrics.counters[name][rows] / metrics.counters["instructions"][rows], np.float64)
