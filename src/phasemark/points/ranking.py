"""The best rows of each phase, by any measure of how typical they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from phasemark.points.population import Population

#: Phase, rows -> what to rank those rows by, the least first: a second array decides where the first ties.
Keys = Callable[[int, NDArray[np.int64]], tuple[NDArray[np.float64], ...]]


#: Which of equals are taken: spread evenly over them (one: the one in their middle), or the first.
TIES = ("spread", "earliest")


def best_rows(
    population: Population,
    counts: NDArray[np.int64],
    keys: Keys,
    *,
    from_all: bool = False,
    ties: str = "spread",
) -> NDArray[np.int64]:
    """The rows that rank first, phase by phase, as many of each as `counts` says.

    Where a program repeats itself exactly, many intervals are equally near; the earliest of them is the one
    that met cold caches, and stands for the others badly.

    Args:
        population: to choose from.
        counts: how many of each phase, k int64.
        keys: what to rank by.
        from_all: look among the rows of all phases, not of the phase alone.
        ties: one of TIES; `earliest` is what SimPoint does.
    """
    everything = population.all_rows() if from_all else None
    chosen = []
    for phase in np.flatnonzero(counts).tolist():
        rows = population.rows_of(phase) if everything is None else everything
        ranks = keys(phase, rows)
        order = np.lexsort(ranks[::-1])
        count = int(counts[phase])
        taken = order[:count] if ties == "earliest" else _spread(order, ranks, count)
        chosen.append(rows[taken])
    return np.concatenate(chosen)


def _spread(
    order: NDArray[np.int64], ranks: tuple[NDArray[np.float64], ...], count: int
) -> NDArray[np.int64]:
    """The first of an order; of equals of which not all are taken those spread evenly over them."""
    if count >= len(order):
        return order
    last = order[count - 1]
    equal = np.all([key[order] == key[last] for key in ranks], axis=0)
    first, size = int(np.argmax(equal)), int(equal.sum())
    wanted = count - first
    at = first + (2 * np.arange(wanted) + 1) * size // (2 * wanted)
    return np.concatenate((order[:first], order[at]))
