"""How far the intervals of each phase lie from one another: what its points may miss."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Phases, given
from phasemark.model.given import PhasesLike, WeightsLike


def spread_of(phases: PhasesLike, weights: WeightsLike) -> NDArray[np.float64]:
    """How untypical a phase's intervals are of it, as a share of how untypical they are of the run as one.

    Both are root mean squares of distances, weighed. The intervals' distances were they all one phase are
    those that the model gave (`undivided`), else those to the centre of the centres.

    Args:
        phases: their distances are taken.
        weights: of the intervals, n doubles from 0; intervals or a profile weigh with their instructions.

    Returns:
        k doubles from 0; 0 for every phase where all intervals are alike, NaN where nothing tells how far
        apart they are.
    """
    phases, weights = given.phases(phases), given.weights(weights)
    shares = phases.shares(weights)
    squared = np.bincount(phases.labels, weights=weights * phases.distances**2, minlength=phases.k)
    whole = _whole(phases, weights, shares, float(squared.sum()))
    within = np.divide(squared, shares, out=np.zeros(phases.k), where=shares > 0)
    return np.zeros(phases.k) if whole == 0 else np.sqrt(within / whole)


def _whole(
    phases: Phases, weights: NDArray[np.float64], shares: NDArray[np.float64], squared: float
) -> float:
    """The mean square of the distances were all intervals one phase; NaN where it is not known."""
    if phases.undivided is not None:
        return float(weights @ phases.undivided**2 / shares.sum())
    if phases.centers is None:
        return math.nan
    middle = shares @ phases.centers / shares.sum()
    between = shares @ ((phases.centers - middle) ** 2).sum(axis=1)
    return float((squared + between) / shares.sum())
