"""Guards: random intervals beside typical ones, which tell how far those are off.

A point that is typical of its phase is no random sample of it, and more of them do not lessen what it is off
by. The mean difference between random intervals and the points of their phases estimates that bias (the
difference estimator; Cochran, Sampling Techniques, sections 7.1 and 7.9).

The farther an interval lies from its phase's centre, the more it is expected to differ. So guards are drawn
from strata of intervals that lie equally far, in each of which distances come to the same sum: equally many
guards of each are then Neyman's allocation (Cochran, section 5A.7; Hansen, Hurwitz and Madow 1953).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError, counted
from phasemark.model import Intervals, Phases, Points
from phasemark.model.options import require_given, require_whole
from phasemark.model.points import FROM_ALL, GIVEN, TYPICAL
from phasemark.points.cold import EACH, cold_starts
from phasemark.points.order import shuffled
from phasemark.points.population import Population


def check_guards(n: int, method: str) -> None:
    """See that so many guards make sense beside points of a method.

    Raises:
        UsageError: a single guard, or a method whose points are not typical of the phase that they lie in
            (those that another tool chose may be).
    """
    require_given(guard=n)
    require_whole(guard=n)
    if n < EACH:
        raise UsageError(
            counted(n, "guard"), hint=f"of fewer than {EACH} no deviation is known; 20 are a good start"
        )
    if method != GIVEN and (method not in TYPICAL or method in FROM_ALL):
        what = "is random already" if method == "stratified" else "takes no typical interval of each phase"
        raise UsageError(
            f"guards tell how far typical intervals of phases are off, and method {method} {what}",
            hint="take guards beside nearest points, one of each phase",
        )


def add_guards(
    points: Points,
    intervals: Intervals,
    phases: Phases | None,
    n: int,
    seed: int = 1,
    *,
    warmup: int = 0,
    tail_points: bool = True,
) -> Points:
    """Points and, beside them, random intervals of the run that are none of them.

    The first interval of each thread, whose caches are cold, is a guard for certain, or, where threads are
    many, their first intervals are a stratum. The others are drawn from strata by distance.

    Args:
        points: typical ones of the phases, or those that another tool chose; guards among them go.
        intervals: of the run; phases: theirs, None where they are not known: the strata are then stretches of
            the run.
        n: guards in all; all other intervals where there are fewer.
        seed: of the choice.
        warmup: instructions to warm up before each guard; clipped at the start of the thread.
        tail_points: False: no guard is an interval that was cut short.

    Returns:
        Points with guards among them: `guard`, `strata` and `population` say what each stands for.

    Raises:
        UsageError: fewer than two guards, or points of a method that none can guard.
        DataError: phases of other intervals, or points of other intervals.
    """
    check_guards(n, points.method)
    points = points.without_guards()
    if phases is None:
        phases = Phases(np.zeros(len(intervals), np.int32), None, np.zeros(len(intervals)))
    population = Population.of(intervals, phases, tail_points=tail_points)
    rest = population.counted & ~_taken(points, intervals)
    strata = _strata(population, rest, n)
    rows = _drawn(strata, population, n, seed)
    if not len(rows):
        return points
    return _joined(points, population, strata, rows, warmup)


def _taken(points: Points, intervals: Intervals) -> NDArray[np.bool_]:
    """Which intervals are points."""
    keys = zip(points.run.tolist(), points.thread.tolist(), points.interval.tolist(), strict=True)
    of = zip(intervals.run.tolist(), intervals.thread.tolist(), intervals.index.tolist(), strict=True)
    wanted = set(keys)
    return np.array([key in wanted for key in of], np.bool_)


def _strata(population: Population, rest: NDArray[np.bool_], n: int) -> NDArray[np.int64]:
    """The stratum of each interval, from 0, cold starts first; -1 of those that are points or nothing."""
    strata = cold_starts(population, n, rest)
    starts, cold = int(strata.max()) + 1, int(np.count_nonzero(strata >= 0))
    left = n - (starts if starts == cold else EACH)
    rows = np.flatnonzero(rest & (strata < 0))
    if len(rows):
        of_rest = by_distance(population.phases.distances[rows], population.weights[rows], left // EACH)
        strata[rows] = of_rest + strata.max() + 1
    return strata


def by_distance(distances: NDArray[np.float64], weights: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Strata from near to far, in each of which weight x (distance + mean distance) sums to the same.

    The mean is added since intervals that execute the same code still differ.

    Args:
        distances: n doubles; weights: of the intervals, n doubles.
        most: strata at most.

    Returns:
        The stratum of each, int64 from 0; none is empty.
    """
    mean = float(weights @ distances / weights.sum())
    size = weights * (distances + mean if mean > 0 else 1.0)
    order = np.argsort(distances, kind="stable")
    reached = np.cumsum(size[order]) - size[order] / 2
    strata = np.empty(len(distances), np.int64)
    most = max(min(most, len(distances) // EACH), 1)
    strata[order] = np.minimum((reached / size.sum() * most).astype(np.int64), most - 1)
    return np.unique(strata, return_inverse=True)[1].astype(np.int64)


def _drawn(strata: NDArray[np.int64], population: Population, n: int, seed: int) -> NDArray[np.int64]:
    """Rows of the guards: EACH of a stratum at random, and what is left where they are the thinnest."""
    possible = population.possible & (strata >= 0)
    if not possible.any():
        return np.zeros(0, np.int64)
    k = int(strata.max()) + 1
    sizes = np.bincount(strata[possible], minlength=k)
    counts = np.minimum(sizes, EACH)
    aggregate = np.bincount(strata[possible], weights=population.weights[possible], minlength=k)
    while counts.sum() < min(n, sizes.sum()):
        counts[np.argmax(np.where(counts < sizes, aggregate / np.maximum(counts, 1), -1.0))] += 1
    order = shuffled(np.flatnonzero(possible), seed)
    of = strata[order]
    return np.concatenate([order[of == stratum][:count] for stratum, count in enumerate(counts.tolist())])


def _joined(
    points: Points, population: Population, strata: NDArray[np.int64], rows: NDArray[np.int64], warmup: int
) -> Points:
    """One table of points and guards, ordered by run, thread and start."""
    intervals, k = population.intervals, max(population.phases.k, int(points.phase.max(initial=-1)) + 1)
    inside = strata >= 0
    whole = np.bincount(strata[inside], weights=population.weights[inside])
    drawn = np.bincount(strata[rows], weights=population.weights[rows], minlength=len(whole))
    share = whole[strata[rows]] * population.weights[rows] / drawn[strata[rows]]
    start, length = intervals.start[rows], intervals.length[rows]
    n = len(rows)
    of_guards: dict[str, Any] = {
        "run": intervals.run[rows],
        "thread": intervals.thread[rows],
        "interval": intervals.index[rows],
        "phase": population.phases.labels[rows],
        "start": start,
        "end": start + length,
        "warmup": np.minimum(start, min(warmup, int(start.max()))),
        "weight": np.zeros(n),
        "population": np.bincount(strata[inside])[strata[rows]],
        "spread": np.full(n, np.nan),
        "strata": k + strata[rows],
        "guard": share / population.weights[population.counted].sum(),
    }
    of_points = {name: getattr(points, name) for name in of_guards if name not in ("strata", "guard")}
    of_points |= {"strata": points.phase, "guard": np.zeros(len(points))}
    together: dict[str, Any] = {
        name: np.concatenate([of_points[name], of_guards[name]]) for name in of_guards
    }
    if points.check is not None:
        together["check"] = np.concatenate([points.check, np.zeros(n, np.int64)])  # guards are not drawn
    order = np.lexsort((together["phase"], together["start"], together["thread"], together["run"]))
    return dataclasses.replace(points, **{name: values[order] for name, values in together.items()})
