"""Choosing k by how clearly intervals belong to their phase."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.phases.selection.evidence import Evidence

#: "No substantial structure has been found" up to this (Kaufman and Rousseeuw, "Finding groups in data").
_NO_STRUCTURE = 0.25

#: Rows in work at a time.
_CHUNK = 4096


def silhouette(evidence: Evidence) -> int:
    """The k with the largest simplified silhouette; the smallest if no k shows structure.

    (b - a) / b of an interval at distance a from its own centre and b from the next nearest, averaged with
    the weights (Hruschka, de Castro and Campello, "Evolutionary algorithms for clustering gene-expression
    data", 2004, after Rousseeuw, 1987). Phases that share most of their code count as one to it.
    """
    if evidence.whole_error <= evidence.least_error:
        return int(evidence.ks[0])
    widths = np.array([width(evidence, k) for k in evidence.ks.tolist()])
    best = int(np.argmax(widths))
    return int(evidence.ks[best] if widths[best] > _NO_STRUCTURE else evidence.ks[0])


def width(evidence: Evidence, k: int) -> float:
    """The average of (b - a) / b over all intervals, by weight; 0 for a single phase."""
    if k < 2:
        return 0.0
    labels, squared = evidence.nearest(k)
    own, other = np.sqrt(squared), np.sqrt(_second(evidence, k, labels))
    widths = np.divide(other - own, other, out=np.zeros_like(own), where=other > own)
    return float(widths @ evidence.observations.weights)


def _second(evidence: Evidence, k: int, labels: NDArray[np.int32]) -> NDArray[np.float64]:
    """Squared distance of each point to the nearest centre but its own."""
    x, centers = evidence.observations.x, evidence.centers[k]
    out = np.empty(len(x))
    for start in range(0, len(x), _CHUNK):
        rows = slice(start, start + _CHUNK)
        squares = np.zeros((len(x[rows]), k))
        for column, center in zip(x[rows].T, centers.T, strict=True):
            squares += np.square(column[:, None] - center)
        squares[np.arange(len(squares)), labels[rows]] = np.inf
        out[rows] = squares.min(axis=1)
    return out
