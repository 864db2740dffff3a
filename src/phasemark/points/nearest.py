"""One point a phase: the interval nearest to the phase's centre."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model import Intervals, Phases, Points

#: An early point may be this much farther from its centre than the nearest interval.
EARLY_DELTA = 0.3

#: Shares are sums of many rounded numbers; a cumulative share this close to the coverage reaches it.
_ROUNDING = 1e-12


def nearest(
    intervals: Intervals,
    phases: Phases,
    weights: ArrayLike | None = None,
    *,
    coverage: float = 1.0,
    early: bool = False,
    delta: float = EARLY_DELTA,
    warmup: int = 0,
) -> Points:
    """Take the interval nearest to each phase's centre, the earliest on ties.

    A point weighs its phase's share ("Discovering and exploiting program phases"). Intervals without
    instructions are never points; a phase that has no other, or weight 0, has none.

    Args:
        intervals: the n intervals that were classified.
        phases: their classification, row by row.
        weights: n weights from 0; None: instructions.
        coverage: keep the largest phases until they make up this share (1: all); the weights of those
            kept are scaled to sum to 1.
        early: take the earliest interval whose distance is at most (1 + delta) x the smallest, so that
            less of the program must be skipped to reach it.
        delta: see early.
        warmup: instructions to warm up before each point; clipped at the start of the thread.

    Returns:
        Points by run, thread and start; `coverage` is the share that the kept phases do make up.

    Raises:
        UsageError: coverage not in (0, 1], negative warm-up or delta.
        DataError: phases of other intervals, or no interval that can be a point.
    """
    check(coverage=coverage, delta=delta, warmup=warmup)
    if len(phases) != len(intervals):
        raise DataError(
            f"phases of {len(phases)} intervals, but {len(intervals)} intervals",
            mend="find the phases of this profile again",
        )
    weighed = np.asarray(intervals.length if weights is None else weights, np.float64)
    possible = (intervals.length > 0) & (weighed > 0)
    if not possible.any():
        raise DataError("no interval can be a point: none has both instructions and weight")
    candidates = _nearest_rows(phases, possible)
    shares = phases.shares(weighed) / weighed.sum()
    kept = largest(np.where(candidates >= 0, shares, 0.0), coverage)
    if early:
        candidates = _earliest_rows(intervals, phases, possible, candidates, delta)
    kept = kept[np.argsort(candidates[kept])]
    rows, covered = candidates[kept], float(shares[kept].sum())
    start = intervals.start[rows]
    return Points(
        run=intervals.run[rows],
        thread=intervals.thread[rows],
        interval=intervals.index[rows],
        phase=kept.astype(np.int32),
        start=start,
        end=start + intervals.length[rows],
        warmup=np.minimum(start, min(warmup, int(start.max()))),
        weight=shares[kept] / covered,
        coverage=min(covered, 1.0),
    )


def check(*, coverage: float = 1.0, delta: float = EARLY_DELTA, warmup: int = 0) -> None:
    """See that the parameters of `nearest` make sense.

    Raises:
        UsageError: coverage not in (0, 1], negative warm-up or delta.
    """
    if not 0 < coverage <= 1:
        raise UsageError(f"coverage is {coverage}", mend="it must be above 0 and at most 1")
    if warmup < 0:
        raise UsageError(f"warm-up is {warmup} instructions", mend="it must be 0 or more")
    if not delta >= 0:
        raise UsageError(f"delta is {delta}", mend="it must be 0 or more")


def largest(shares: NDArray[np.float64], coverage: float) -> NDArray[np.int64]:
    """The largest phases (the lowest number on ties), ascending, until their shares reach `coverage`.

    Phases of share 0 are never among them.
    """
    order = np.argsort(-shares, kind="stable")
    reached = np.cumsum(shares[order])
    wanted = int(np.searchsorted(reached, coverage - _ROUNDING)) + 1
    chosen = order[: min(wanted, int(np.count_nonzero(shares > 0)))]
    return np.sort(chosen)


def _nearest_rows(phases: Phases, possible: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Row of the nearest possible interval of each phase, the earliest on ties; -1 where there is none."""
    rows = np.flatnonzero(possible)
    order = rows[np.lexsort((rows, phases.distances[rows], phases.labels[rows]))]
    labels, first = np.unique(phases.labels[order], return_index=True)
    out = np.full(phases.k, -1, np.int64)
    out[labels] = order[first]
    return out


def _earliest_rows(
    intervals: Intervals,
    phases: Phases,
    possible: NDArray[np.bool_],
    nearest_rows: NDArray[np.int64],
    delta: float,
) -> NDArray[np.int64]:
    out = nearest_rows.copy()
    for phase in np.flatnonzero(nearest_rows >= 0):
        bound = (1.0 + delta) * phases.distances[nearest_rows[phase]]
        rows = np.flatnonzero(possible & (phases.labels == phase) & (phases.distances <= bound))
        out[phase] = rows[np.argmin(intervals.start[rows])]
    return out
