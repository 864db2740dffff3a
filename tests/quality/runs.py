"""Six intervals in two phases, and their metrics, made by hand."""

from __future__ import annotations

import numpy as np

from phasemark.model import Intervals, Metrics, Phases

INTERVALS = Intervals.of_thread([100, 100, 100, 100, 100, 40], nominal=100)
PHASES = Phases([0, 0, 1, 1, 1, 1], [[0.0], [1.0]], np.zeros(6), model={"method": "simpoint", "seed": 1})
CPI = [1.0, 2.0, 3.0, 3.0, 3.0, 6.0]


def metrics(cpi=CPI, **counters) -> Metrics:
    keys = (INTERVALS.run, INTERVALS.thread, INTERVALS.index, INTERVALS.start, INTERVALS.length)
    counted = {name: np.array(values, float) for name, values in counters.items()}
    return Metrics(*keys, {"cycles": np.array(cpi) * INTERVALS.length, **counted}, source="a test")
