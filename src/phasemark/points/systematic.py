"""Every n-th interval of the run (SMARTS), from a random one on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.order import uniform
from phasemark.points.population import Population


def systematic_rows(population: Population, counts: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """As many intervals as the counts make up, evenly spaced (Wunderlich et al., SMARTS, 2003)."""
    rows = np.flatnonzero(population.possible)
    n = int(counts.sum())
    places = (np.arange(n) + uniform(seed)) * (len(rows) / n)
    return np.asarray(rows[places.astype(np.int64)], np.int64)
