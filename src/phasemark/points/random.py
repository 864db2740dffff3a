"""Random intervals of the whole run, whatever the phases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.order import shuffled
from phasemark.points.population import Population


def random_rows(population: Population, counts: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """A simple random sample, without replacement, of as many intervals as the counts make up."""
    return shuffled(np.flatnonzero(population.possible), seed)[: counts.sum()]
