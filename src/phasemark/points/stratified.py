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
        population: to choose from.
        counts: how many of each phase, k int64.
        seed: of the choice.
    """
    order = shuffled(np.flatnonzero(population.possible), seed)
    labels = population.phases.labels[order]
    return np.concatenate([order[labels == phase][:n] for phase, n in enumerate(counts.tolist()) if n])
