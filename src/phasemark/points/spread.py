"""How far the intervals of each phase lie from one another: what its points may miss."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases


def spread_of(phases: Phases, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far a phase's intervals lie from its centre, as a share of those of the run from the run's centre.

    Both are root mean squares, weighed.

    Args:
        phases: their distances to the centres are taken.
        weights: of the intervals, n doubles from 0.

    Returns:
        k doubles from 0; 0 for every phase where all intervals are alike.
    """
    shares = phases.shares(weights)
    squared = np.bincount(phases.labels, weights=weights * phases.distances**2, minlength=phases.k)
    middle = shares @ phases.centers / shares.sum()
    between = shares @ ((phases.centers - middle) ** 2).sum(axis=1)
    whole = (squared.sum() + between) / shares.sum()
    within = np.divide(squared, shares, out=np.zeros(phases.k), where=shares > 0)
    return np.sqrt(within / whole) if whole > 0 else np.zeros(phases.k)
