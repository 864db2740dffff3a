"""The best rows of each phase, by any measure of how typical they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from phasemark.points.population import Population

#: Phase, rows -> what to rank those rows by, the least first: a second array decides where the first ties.
Keys = Callable[[int, NDArray[np.int64]], tuple[NDArray[np.float64], ...]]


def best_rows(
    population: Population, counts: NDArray[np.int64], keys: Keys, *, from_all: bool = False
) -> NDArray[np.int64]:
    """The rows that rank first, the earliest on ties: phase by phase, as many of each as `counts` says.

    Args:
        population: to choose from.
        counts: how many of each phase, k int64.
        keys: what to rank by.
        from_all: look among the rows of all phases, not of the phase alone.
    """
    everything = population.all_rows() if from_all else None
    chosen = []
    for phase in np.flatnonzero(counts).tolist():
        rows = population.rows_of(phase) if everything is None else everything
        order = np.lexsort(keys(phase, rows)[::-1])
        chosen.append(rows[order[: counts[phase]]])
    return np.concatenate(chosen)
