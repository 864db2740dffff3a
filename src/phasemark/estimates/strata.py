"""Strata to draw random points from: more of them the more points there are, and cold starts apart.

Two points of each of many strata tell more than many points of each of few: what differs between strata is
no error. So strata are a clustering of their own, finer than the phases that a person is shown. The first
interval of a thread runs on cold caches and predictors: no other stands for it, nor it for any other.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Phases, Points, Profile, Signatures
from phasemark.model.given import IntervalsLike
from phasemark.phases import SimPoint
from phasemark.points import Population
from phasemark.points.cold import EACH, cold_starts
from phasemark.signatures import DEFAULT_SEED, has_behaviour, project, with_behaviour

#: More than so many strata cost more time to find than they save.
MOST = 256


def signatures_for(given: Signatures | None, intervals: IntervalsLike, phases: Phases) -> Signatures | None:
    """Where to look for strata: what was given, else a profile's code, and its behaviour; None: nobody knows.

    Args:
        given: of the intervals.
        intervals: perhaps a profile.
        phases: whose seed is that of the projection, so that it is the one that they were found in.
    """
    if given is not None or not isinstance(intervals, Profile):
        return given
    seed = phases.model.get("seed")
    code = project(intervals, seed=seed if isinstance(seed, int) else DEFAULT_SEED)
    return with_behaviour(code, intervals) if has_behaviour(intervals) else code


def strata_of(population: Population, signatures: Signatures | None, n: int, seed: int) -> Phases:
    """A classification into as many strata as n points allow, with two of each.

    Args:
        population: intervals and their phases.
        signatures: of the intervals; None: the strata are the phases, and where those are too many, phases
            near to one another together.
        n: points in all, at least 1.
        seed: of the clustering.

    Returns:
        Its phases are the strata: those of the clustering, then the cold starts, each thread's on its own or,
        where the threads are many, all together.
    """
    cold = cold_starts(population, n)
    several = n - len(np.unique(cold[cold >= 0]))
    rest = population.possible & (cold < 0)
    k = max(1, min(several // EACH, MOST, (int(rest.sum()) - 1) // 2))
    if signatures is None:
        found = _of_phases(population.phases, rest, population.weights, k)
    else:
        model = SimPoint(k=k, restarts=1, seed=seed)
        found = model.fit(signatures.matrix, sample_weight=np.where(rest, population.weights, 0.0)).phases_
    return _apart(found, cold, None if signatures is None else signatures.matrix)


def drawn(points: Points, intervals: Intervals, phases: Phases) -> Points:
    """Points of strata, with the phases that they lie in."""
    first = np.flatnonzero(intervals.first_of_thread())
    keys = zip(intervals.run[first].tolist(), intervals.thread[first].tolist(), strict=True)
    begin = dict(zip(keys, first.tolist(), strict=True))
    of = zip(points.run.tolist(), points.thread.tolist(), points.interval.tolist(), strict=True)
    rows = [begin[run, thread] + index for run, thread, index in of]
    return dataclasses.replace(points, phase=phases.labels[rows], strata=points.phase)


def _of_phases(phases: Phases, rest: NDArray[np.bool_], weights: NDArray[np.float64], most: int) -> Phases:
    """The phases that have intervals left, at most so many: those near to one another together."""
    shares = np.bincount(phases.labels[rest], weights=weights[rest], minlength=phases.k)
    kept = np.flatnonzero(shares > 0)
    number, off = np.zeros(phases.k, np.int32), np.zeros(phases.k)
    centers = None if phases.centers is None else phases.centers[kept]
    if len(kept) <= most:
        number[kept] = np.arange(len(kept))
    elif phases.centers is not None:
        joined = SimPoint(k=most, restarts=1).fit(phases.centers, sample_weight=shares).phases_
        number, off, centers = joined.labels, joined.distances, joined.centers
    else:
        larger = kept[np.argsort(-shares[kept], kind="stable")]
        number[larger] = np.minimum(np.arange(len(larger)), most - 1)
    distances = np.hypot(phases.distances, off[phases.labels])
    return Phases(
        number[phases.labels], centers, distances, k=int(number.max()) + 1, undivided=phases.undivided
    )


def _apart(found: Phases, cold: NDArray[np.int64], matrix: NDArray[np.float64] | None) -> Phases:
    """The same with cold starts as strata of their own."""
    starts = int(cold.max()) + 1
    if not starts:
        return found
    labels, distances = found.labels.copy(), found.distances.copy()
    is_cold = cold >= 0
    labels[is_cold] = found.k + cold[is_cold]
    if np.count_nonzero(is_cold) == starts:
        distances[is_cold] = 0.0  # each is all there is of its stratum
    centers = found.centers
    if centers is not None:
        places = centers[found.labels] if matrix is None else matrix
        own = [places[cold == start].mean(axis=0) for start in range(starts)]
        centers = np.concatenate([centers, own])
    return Phases(labels, centers, distances, k=found.k + starts, undivided=found.undivided)
