"""A sample of the intervals, for runs with more of them than clustering needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.signatures.hashing import mix64


@dataclass(frozen=True)
class Sample:
    """Rows drawn, ascending, and the weight each stands for (they sum to 1)."""

    rows: NDArray[np.int64]
    weights: NDArray[np.float64]


def draw(weights: NDArray[np.float64], size: int, seed: int, *, literal: bool = False) -> Sample:
    """Draw rows without replacement, each with probability proportional to its weight.

    Systematic sampling over a random order of the rows: the inclusion probability of a row is exactly
    size x weight / total, at most 1 (rows that reach 1 are taken for certain). "Variable-length
    intervals", section 7, draws in this proportion and then weights the drawn rows by their weight
    again, which counts it twice; here a row stands for weight / inclusion probability.

    Args:
        weights: n doubles above 0.
        size: rows to draw, at most n.
        seed: of the order and the start.
        literal: weight the drawn rows by their weight, as the paper does.
    """
    probability = inclusion_probabilities(weights, size)
    words = mix64(mix64(np.array([seed % 2**64], np.uint64)) ^ np.arange(len(weights) + 1, dtype=np.uint64))
    order = np.argsort(words[1:], kind="stable")
    ends = np.cumsum(probability[order])
    picks = int(words[0]) / 2**64 + np.arange(size)
    drawn = order[np.minimum(np.searchsorted(ends, picks, side="right"), len(order) - 1)]
    rows = np.unique(drawn)
    stands_for = weights[rows] if literal else weights[rows] / probability[rows]
    return Sample(rows, stands_for / stands_for.sum())


def inclusion_probabilities(weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Of each row, proportional to its weight, at most 1, summing to `size`."""
    certain = np.zeros(len(weights), np.bool_)
    while True:
        rest = size - int(certain.sum())
        probability = np.where(certain, 1.0, weights * (rest / weights[~certain].sum()))
        above = (probability >= 1.0) & ~certain
        if not above.any() or certain.sum() + above.sum() >= size:
            return np.minimum(probability, 1.0)
        certain |= above
