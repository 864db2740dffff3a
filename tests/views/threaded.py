"""Analyses of several threads and runs, made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.parallel.threads import cycles_of, intervals_of, phases_of, profile_of

from phasemark.model import Metrics, Phases, Points, Profile, Recipe, Signatures
from phasemark.views import Analysis


def analysis_of(profile: Profile, phases: Phases, metrics: Metrics | None = None) -> Analysis:
    """Without points."""
    n = len(profile.interval_table)
    weights = profile.interval_table.length / profile.instructions
    rng = np.random.default_rng(1)
    matrix = phases.labels[:, None] + 0.01 * rng.standard_normal((n, 15))
    signatures = Signatures(matrix, weights, Recipe("l1", "uniform", 15, 7, "module+offset"))
    phases = replace(phases, centers=np.repeat(np.arange(phases.k, dtype=float)[:, None], 15, axis=1))
    return Analysis(profile, signatures, phases, Points.none(), metrics)


def many(threads: int, intervals: int, run: int = 0, measured: bool = False) -> Analysis:
    """Threads that go through six phases at random, and wait a tenth of the time together."""
    rng = np.random.default_rng(3)
    rows = []
    for thread in range(threads):
        at = 1000 * (thread % 7)
        for number in range(intervals):
            if number % (intervals // 10) == 0:
                at += 1000 * (intervals // 100 + 2)
            rows.append(
                (thread, int(rng.integers(0, 6)) if number % 50 < 10 else number // 50 % 6, at, at + 1000)
            )
            at += 1000
    profile = profile_of(intervals_of(rows, run=run), 1000)
    labels = [row[1] for row in rows]
    metrics = cycles_of(profile, 500 + 100 * np.array(labels)) if measured else None
    return analysis_of(profile, phases_of(labels), metrics)
