"""The number of states by intervals that no fit saw: cross-validation in stretches of time.

A stretch, not scattered intervals: neighbours are alike, and a state would be known from next door. Of states
that tell the rest of the run about equally well the fewest are taken, by the rule of one standard error
(Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", section 3.4.3), here of the
differences between two numbers of states over the same folds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

#: Each interval is left out of one fit in so many; and each fold has so many stretches of a sequence.
FOLDS = 5
STRETCHES = 4


def folds_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """In which fold each row is left out: n whole numbers below FOLDS.

    Args:
        lengths: of the sequences; each is cut into up to FOLDS x STRETCHES stretches, dealt in turn.
    """
    parts, dealt = [], 0
    for length in lengths.tolist():
        stretches = min(FOLDS * STRETCHES, length)
        parts.append((np.arange(length) * stretches // length + dealt) % FOLDS)
        dealt += stretches  # a sequence of one row is not always left out of the first
    return np.concatenate(parts)


def stretches_of(rows: NDArray[np.bool_], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lengths of what the chosen rows are sequences of: those that follow one another."""
    first = np.zeros(len(rows), np.bool_)
    first[np.cumsum(lengths) - lengths] = True
    begins = np.flatnonzero(rows & (first | ~np.concatenate(([False], rows[:-1]))))
    at = np.searchsorted(np.flatnonzero(rows), begins)
    return np.diff(np.append(at, int(rows.sum()))).astype(np.int64)


def fewest(scores: Mapping[int, NDArray[np.float64]]) -> int:
    """The fewest states that are not worse than the best ones by more than a standard error.

    Args:
        scores: number of states -> of each fold, how well they tell what was left out; more is better,
            -inf where they say that it cannot be.
    """
    means = {k: float(np.mean(of_folds)) for k, of_folds in scores.items()}
    best = max(scores, key=lambda k: (means[k], -k))
    if math.isinf(means[best]):
        return best
    for k in sorted(scores):
        if math.isinf(means[k]):
            continue
        worse = scores[best] - scores[k]
        error = float(np.std(worse, ddof=1)) / math.sqrt(len(worse)) if len(worse) > 1 else 0.0
        if float(np.mean(worse)) <= error:
            return k
    return best
