"""A run made by hand: three phases, vectors that tell them apart, and a CPI that goes with them."""

from __future__ import annotations

import numpy as np

from phasemark.model import Blocks, Counts, Intervals, Metrics, Profile, Provenance

N, LENGTH = 60, 1000


def profile(seed: int = 1) -> Profile:
    """Intervals 0 1 2 0 1 2 ... of three blocks, most of each in one of them."""
    rng = np.random.default_rng(seed)
    rows = np.full((N, 3), 50) + rng.integers(0, 40, (N, 3))
    which = np.arange(N) % 3
    rows[np.arange(N), which] = 0
    rows[np.arange(N), which] = LENGTH - rows.sum(axis=1)
    blocks = Blocks(("a.out",), [0, 0, 0], [0, 40, 80], [10, 10, 10], [40, 40, 40])
    counts = Counts(np.arange(0, 3 * N + 1, 3), np.tile([0, 1, 2], N), rows.ravel(), 3)
    return Profile(blocks, Intervals.of_thread([LENGTH] * N), counts, Provenance("a test"))


def metrics(seed: int = 1) -> Metrics:
    """CPI about 1, 2 and 4."""
    table = profile(seed).interval_table
    cpi = np.array([1.0, 2.0, 4.0])[np.arange(N) % 3] * np.random.default_rng(seed).normal(1, 0.1, N)
    keys = (table.run, table.thread, table.index, table.start, table.length)
    return Metrics(*keys, {"cycles": cpi * LENGTH}, source="a test")
