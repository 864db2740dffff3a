"""Random intervals of each phase."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.order import shuffled
from phasemark.points.population import Population


def stratified_rows(population: Population, counts: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """A simple random sample, without replacement, of each phase (stratified random sampling).

    With one seed, larger counts keep the rows of smaller ones.

    Args:
        population: to choose from; a phase's points begin at its `begin` in a random order, and go round.
        counts: how many of each phase, k int64.
        seed: of the choice.
    """
    order, first = ordered(population, seed)
    return np.concatenate(
        [order[first[phase] : first[phase] + n] for phase, n in enumerate(counts.tolist()) if n]
    )


def ordered(population: Population, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of each phase that can be points, in the order in which they are taken.

    Returns:
        The rows, phase by phase, and where in them each phase's are: k + 1 int64.
    """
    rows = shuffled(np.flatnonzero(population.possible), seed)
    labels = population.phases.labels[rows]
    first = np.concatenate(([0], np.cumsum(population.sizes)))
    rows = rows[np.argsort(labels, kind="stable")]
    if population.begin is not None:
        of = np.repeat(np.arange(population.phases.k), population.sizes)
        place = np.arange(len(rows)) - first[of]
        rows = rows[first[of] + (place + population.begin[of]) % population.sizes[of]]
    return rows, first
