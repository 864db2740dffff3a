"""Cold starts: the first interval of a thread; no other one finds caches and predictors as cold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.population import Population

#: Points of a stratum: of a single one no deviation is known.
EACH = 2

#: Threads whose cold starts are all measured take no more than this share of the points.
_SHARE = 1 / 8


def cold_starts(population: Population, n: int, among: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """The stratum of each interval that is a cold start, from 0; -1 of those that are none.

    Each is a stratum of its own, or, where threads are many beside n, all are one together, or none.

    Args:
        population: to choose from.
        n: points in all.
        among: intervals that may be chosen, n bools; None: those of the population.
    """
    first = population.intervals.first_of_thread()
    alone = first & np.append(first[1:], True)  # a single interval is all there is of its thread
    cold = first & ~alone & population.possible
    rows = np.flatnonzero(cold if among is None else cold & among)
    found = np.full(len(first), -1, np.int64)
    if len(rows) <= n * _SHARE:
        found[rows] = np.arange(len(rows))
    elif n * _SHARE >= EACH:
        found[rows] = 0
    return found
