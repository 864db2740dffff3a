"""Estimates of the threads of a run's folder, beside what the full run has."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping

import numpy as np

from phasemark.errors import DataError
from phasemark.estimates import ThreadEstimate, estimate_threads, full_value
from phasemark.model import Metrics, Points
from phasemark.model.points import WHOLE_RUN
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.workflow.phases import read_phases
from phasemark.workflow.reading import read_intervals

#: Of thousands of threads, those with most instructions.
MOST = 64


def of_threads(
    folder: Folder, points: Points, metrics: Metrics, confidence: float
) -> tuple[ThreadEstimate, ...]:
    """What the points of a run say of the threads with most instructions; none where there is one alone.

    Points tell of threads by phases: without these, or where points stand for the whole run or were chosen
    among other phases, nothing is said.
    """
    if points.method in WHOLE_RUN or not folder.profile.exists() or not folder.model.exists():
        return ()
    intervals = read_intervals(folder.path)
    if np.count_nonzero(intervals.first_of_thread()) < 2:
        return ()
    phases = read_phases(folder)[1]
    try:
        return estimate_threads(points, metrics, intervals, phases, confidence=confidence, most=MOST)
    except DataError:
        return ()


def full_of_threads(
    folder: Folder, threads: Iterable[ThreadEstimate], names: Iterable[str]
) -> tuple[Mapping[str, float], ...]:
    """The full run's values of each thread, of metrics that all its intervals have.

    Args:
        folder: with metrics.csv of every interval.
        threads: which.
        names: of the metrics that the full run has.
    """
    wanted, metrics = list(names), metrics_csv.read(folder.metrics) if folder.metrics.exists() else None
    if metrics is None or not wanted:
        return tuple({} for _ in threads)
    return tuple(_full(metrics, thread, wanted) for thread in threads)


def _full(metrics: Metrics, thread: ThreadEstimate, names: list[str]) -> dict[str, float]:
    rows = np.flatnonzero((metrics.run == thread.run) & (metrics.thread == thread.thread))
    if metrics.length[rows].sum() < thread.instructions:
        return {}
    columns = {name: getattr(metrics, name)[rows] for name in ("run", "thread", "index", "start", "length")}
    counters = {name: counter[rows] for name, counter in metrics.counters.items()}
    mine = dataclasses.replace(metrics, **columns, counters=counters)
    values = {name: full_value(mine, name) for name in names}
    return {name: value for name, value in values.items() if not math.isnan(value)}
