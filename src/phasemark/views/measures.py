"""Measures: CPI and misses of each phase and of each simulation point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Metrics, Points
from phasemark.quality.measured import foremost, measured
from phasemark.quality.measured import names as names_of
from phasemark.views.analysis import Analysis

#: What stands on a card and in a row of a point, where it was measured; as `phasemark simulate` prints it.
_SHOWN = ("cpi", "l1i_mpki", "l1d_mpki", "l2_mpki", "l3_mpki", "branch_mpki")
_ABBREVIATED = ("cpi", "ipc", "epi", "l1i", "l1d", "l2", "l3", "itlb", "dtlb")


@dataclass(frozen=True, eq=False)
class Measures:
    """Values of a few metrics.

    Attributes:
        names: of the metrics.
        values: rows x metrics, doubles; NaN where it was not measured or is not defined.
        source: what measured them; empty where that is not known.
    """

    names: list[str]
    values: NDArray[np.float64]
    source: str = ""


def label(name: str) -> str:
    """A metric's name in a heading: `cpi` -> `CPI`, `l1d_mpki` -> `L1D MPKI`."""
    words = ["MPKI" if word == "mpki" else word for word in name.split("_")]
    return " ".join(word.upper() if word in _ABBREVIATED else word for word in words)


def of_points(analysis: Analysis) -> Measures | None:
    """Of each point, as it was simulated, else as its interval was measured; None where nothing was."""
    points, metrics = analysis.points, analysis.point_metrics or analysis.metrics
    if metrics is None:
        return None
    metrics = metrics.with_instructions()
    names = _names(metrics)
    rows = _rows(metrics, points)
    values = [np.where(rows >= 0, metrics.values(name)[rows], np.nan) for name in names]
    return Measures(names, np.stack(values, axis=1), metrics.source)


def of_phases(analysis: Analysis) -> Measures | None:
    """Of each phase: the mean over its intervals; None where the intervals were not measured."""
    if analysis.metrics is None:
        return None
    names = _names(analysis.metrics)
    labels, k = analysis.phases.labels, analysis.phases.k
    values = []
    for name in names:
        metric = measured(analysis.metrics, analysis.profile.interval_table, name)
        sums = np.bincount(labels, np.nan_to_num(metric.values) * metric.weights, k)
        weights = np.bincount(labels, metric.weights, k)
        values.append(np.divide(sums, weights, out=np.full(k, np.nan), where=weights > 0))
    return Measures(names, np.stack(values, axis=1), analysis.metrics.source)


def _names(metrics: Metrics) -> list[str]:
    every: Sequence[str] = names_of(metrics)
    known = [name for name in _SHOWN if name in every]
    return known or foremost(every)


def _rows(metrics: Metrics, points: Points) -> NDArray[np.int64]:
    """The row of each point; -1 where it was not measured, or another interval of that number was."""
    if not len(metrics):
        return np.full(len(points), -1, np.int64)
    rows = metrics.rows(points.run, points.thread, points.interval)
    same = (metrics.start[rows] == points.start) & (metrics.length[rows] == points.end - points.start)
    return np.where(same, rows, -1)
