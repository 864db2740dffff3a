"""What was measured at points: counters per instruction, and how many events there may be at most."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Metrics, Points, Ratio
from phasemark.model.ratios import EVENTS_AMONG


def rows_of(points: Points, metrics: Metrics) -> NDArray[np.int64]:
    """The row of each point in the metrics, int64; -1 where it is missing.

    Raises:
        DataError: the metrics are of other intervals.
    """
    rows = metrics.rows(points.run, points.thread, points.interval)
    lengths = points.end - points.start
    for point in np.flatnonzero(rows >= 0).tolist():
        row = rows[point]
        if (metrics.start[row], metrics.length[row]) != (points.start[point], lengths[point]):
            raise DataError(
                f"interval {points.interval[point]:,} starts at {metrics.start[row]:,} and has "
                f"{metrics.length[row]:,} instructions, the point starts at {points.start[point]:,} and has "
                f"{lengths[point]:,}",
                row=int(row),
                hint="take metrics of this run's points, or pick the points again",
            )
    return rows


def rates(
    points: Points, metrics: Metrics, rows: NDArray[np.int64], ratio: Ratio
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numerator and denominator of a ratio per instruction of each point; NaN where it was not measured."""
    length = (points.end - points.start).astype(np.float64)
    top, bottom = (
        np.where(rows >= 0, metrics.counters[name][rows], np.nan) / length
        for name in (ratio.numerator, ratio.denominator)
    )
    return top, bottom


def weights_of(points: Points, there: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of the measured points: those left of a stratum stand for it; they sum to 1."""
    weight = standing_in(points.weight, points.stratum, there)[there]
    return np.asarray(weight / weight.sum(), np.float64)


def standing_in(
    weight: NDArray[np.float64], strata: NDArray[np.int32], there: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Weights, those of points that are not there on the others of their stratum; 0 where none is left."""
    _, stratum = np.unique(strata, return_inverse=True)
    whole = np.bincount(stratum, weights=weight)
    left = np.bincount(stratum, weights=weight * there)
    scale = np.divide(whole, left, out=np.zeros_like(whole), where=left > 0)
    return np.asarray(weight * there * scale[stratum], np.float64)


def is_part(ratio: Ratio) -> bool:
    """Whether the denominator counts the accesses of which the numerator counts some."""
    return EVENTS_AMONG.get(ratio.numerator) == ratio.denominator


def most_events(metrics: Metrics, rows: NDArray[np.int64], ratio: Ratio) -> float:
    """Events per instruction of an interval in which every access is one; infinite where that is not known.

    An interval that was not measured is taken to have as many accesses as that of `rows` with most.
    """
    accesses = metrics.counters.get(EVENTS_AMONG.get(ratio.numerator, ""))
    if accesses is None:
        return math.inf
    rate = accesses[rows] / metrics.length[rows]
    return float(rate[np.isfinite(rate)].max(initial=0.0)) or math.inf
