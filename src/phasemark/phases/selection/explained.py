"""Choosing k by the share of the vectors' variance that it explains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.phases.selection.evidence import Evidence

#: The share of variance to explain.
SHARE = 0.95

#: Error that passes for noise, as a multiple of it.
_NEAR_NOISE = 1.1

#: Least share that a choice among several phases must explain; else there is one phase.
_STRUCTURE = 0.5


def share(evidence: Evidence) -> int:
    """The smallest k whose phases leave at most 5% of the squared error; the largest k if none does."""
    return first(evidence, evidence.errors <= (1 - SHARE) * evidence.whole_error)


def noise_floor(evidence: Evidence) -> int:
    """The smallest k that explains 95% of what is not noise, or has at most a tenth more error than noise.

    Half the squared difference of neighbouring intervals of one phase estimates the variance within it,
    whatever k is, and free of slow drift (von Neumann, "Distribution of the ratio of the mean square
    successive difference to the variance", 1941). It is taken off the error of k phases and of one.
    """
    noise = np.array([_successive_variance(evidence, k) for k in evidence.ks.tolist()])
    enough = evidence.errors - noise <= (1 - SHARE) * (evidence.whole_error - noise)
    return first(evidence, enough | (evidence.errors <= _NEAR_NOISE * noise))


def calinski_harabasz(evidence: Evidence) -> int:
    """The k with the largest ratio of variance between phases to variance within, each per degree of freedom.

    Calinski and Harabasz, "A dendrite method for cluster analysis", 1974. The ratio knows no k = 1: one
    phase is taken when the best k explains less than half of the squared error.
    """
    several = (evidence.ks > 1) & (evidence.ks < len(evidence.observations))
    if not several.any() or evidence.whole_error <= evidence.least_error:
        return int(evidence.ks[0])
    ks, within = evidence.ks[several], np.maximum(evidence.errors[several], evidence.least_error)
    between = evidence.whole_error - within
    best = int(np.argmax(between / (ks - 1) / (within / (len(evidence.observations) - ks))))
    return int(ks[best] if between[best] >= _STRUCTURE * evidence.whole_error else evidence.ks[0])


def first(evidence: Evidence, good: NDArray[np.bool_]) -> int:
    """The smallest k that is good or leaves no more error than rounding does; the largest k if none."""
    good = good | (evidence.errors <= evidence.least_error)
    return int(evidence.ks[np.argmax(good)] if good.any() else evidence.ks[-1])


def _successive_variance(evidence: Evidence, k: int) -> float:
    """Half the mean squared difference of neighbours with one label; the whole variance if there are none."""
    labels, _ = evidence.nearest(k)
    together = labels[1:] == labels[:-1]
    if not together.any():
        return evidence.whole_error
    weights = evidence.observations.weights
    squares = np.square(np.diff(evidence.observations.x, axis=0)).sum(axis=1)
    return float(np.average(squares[together], weights=(weights[1:] + weights[:-1])[together]) / 2)
