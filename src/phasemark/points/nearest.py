"""The intervals nearest to each phase's centre: SimPoint's choice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError, shown
from phasemark.model import Points
from phasemark.model.given import IntervalsLike, PhasesLike, WeightsLike
from phasemark.model.options import require_given, require_real, require_whole
from phasemark.points.population import Population
from phasemark.points.ranking import TIES, best_rows

#: An early point may be this much farther from its centre than the nearest interval.
EARLY_DELTA = 0.3

#: Shares are sums of many rounded numbers; a cumulative share this close to the coverage reaches it.
_ROUNDING = 1e-12


def nearest(
    intervals: IntervalsLike,
    phases: PhasesLike,
    weights: WeightsLike | None = None,
    *,
    coverage: float = 1.0,
    early: bool = False,
    delta: float = EARLY_DELTA,
    warmup: int = 0,
    tail_points: bool = True,
    ties: str = "spread",
) -> Points:
    """Take the interval nearest to each phase's centre, of equally near ones the one in their middle.

    Intervals that were cut short stand back behind the others of their phase: the end of a thread, or of the
    program, may be near in blocks and yet is no typical stretch. A point weighs its phase's share
    ("Discovering and exploiting program phases"). Intervals without instructions are never points; a phase
    that has no other, or weight 0, has none.

    Args:
        intervals: the n intervals that were classified: a Profile, Intervals, their frame, or the lengths
            of one thread's.
        phases: their classification, row by row, or the fitted model that made it.
        weights: n weights from 0; None: instructions.
        coverage: keep the largest phases until they make up this share (1: all); the weights of those
            kept are scaled to sum to 1.
        early: take the earliest interval whose distance is at most (1 + delta) x the smallest, so that
            less of the program must be skipped to reach it.
        delta: see early.
        warmup: instructions to warm up before each point; clipped at the start of the thread.
        tail_points: see select.
        ties: `spread`: of equally near intervals the one in their middle, in the order of threads and time;
            `earliest`: the first, as SimPoint does, though it met the coldest caches.

    Returns:
        Points by run, thread and start; `coverage` is the share that the kept phases do make up.

    Raises:
        UsageError: coverage not in (0, 1], negative warm-up or delta, or no such `ties`.
        DataError: phases of other intervals, or no interval that can be a point.
    """
    check(coverage=coverage, delta=delta, warmup=warmup)
    if ties not in TIES:
        raise UsageError(f"ties is {shown(ties)}", hint=f"use one of {', '.join(TIES)}")
    population = Population.of(intervals, phases, weights, tail_points=tail_points)
    kept = largest(np.where(population.sizes > 0, population.shares, 0.0), coverage)
    counts = np.zeros(population.phases.k, np.int64)
    counts[kept] = 1
    rows = earliest_rows(population, counts, delta) if early else nearest_rows(population, counts, ties=ties)
    covered = float(population.shares[kept].sum())
    return population.points(rows, method="nearest", whole_run=False, coverage=covered, warmup=warmup)


def check(*, coverage: float = 1.0, delta: float = EARLY_DELTA, warmup: int = 0) -> None:
    """See that the parameters of `nearest` make sense.

    Raises:
        UsageError: coverage not in (0, 1], negative warm-up or delta.
    """
    require_given(coverage=coverage, delta=delta, warmup=warmup)
    require_whole(warmup=warmup)
    require_real(coverage=coverage, delta=delta)
    if not 0 < coverage <= 1:
        raise UsageError(f"coverage is {coverage}", hint="it must be above 0 and at most 1, as 0.95 for 95%")
    if warmup < 0:
        raise UsageError(f"warm-up is {warmup} instructions", hint="it must be 0 or more")
    if not delta >= 0:
        raise UsageError(f"delta is {delta}", hint="it must be 0 or more")


def largest(shares: NDArray[np.float64], coverage: float) -> NDArray[np.int64]:
    """The largest phases (the lowest number on ties), ascending, until their shares reach `coverage`.

    Phases of share 0 are never among them.
    """
    order = np.argsort(-shares, kind="stable")
    reached = np.cumsum(shares[order])
    wanted = int(np.searchsorted(reached, coverage - _ROUNDING)) + 1
    chosen = order[: min(wanted, int(np.count_nonzero(shares > 0)))]
    return np.sort(chosen)


def nearest_rows(
    population: Population, counts: NDArray[np.int64], seed: int = 0, *, ties: str = "spread"
) -> NDArray[np.int64]:
    """The intervals nearest to each phase's centre, of equally near ones the middle; tails after all others.

    Args:
        population: to choose from.
        counts: how many of each phase, k int64.
        seed: of no use here.
        ties: see `ranking.TIES`.
    """
    tails, distances = population.intervals.is_tail.astype(np.float64), population.phases.distances
    return best_rows(population, counts, lambda _, rows: (tails[rows], distances[rows]), ties=ties)


def earliest_rows(population: Population, counts: NDArray[np.int64], delta: float) -> NDArray[np.int64]:
    """Of each phase with a count, the earliest interval at most (1 + delta) x the smallest distance away.

    A tail only of a phase that has nothing else.
    """
    chosen, tails = [], population.intervals.is_tail
    for phase in np.flatnonzero(counts).tolist():
        rows = population.rows_of(phase)
        rows = rows[~tails[rows]] if not tails[rows].all() else rows
        distances = population.phases.distances[rows]
        near = rows[distances <= (1.0 + delta) * distances.min()]
        chosen.append(near[np.argmin(population.intervals.start[near])])
    return np.array(chosen, np.int64)
