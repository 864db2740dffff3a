"""Phases that another tool found: a label for every interval, and what follows from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import Phases, Signatures

#: What stands in `Phases.model` in place of a model's name.
GIVEN = "given"


def of_labels(labels: ArrayLike, signatures: Signatures, notes: tuple[str, ...] = ()) -> Phases:
    """Phases of given labels; centres and distances are those of the signatures.

    Args:
        labels: n whole numbers, 0 to k-1, each there.
        signatures: n rows, of the same intervals.
        notes: what a user should know, one sentence each.

    Raises:
        DataError: a label that is none, or not as many as signatures.
    """
    labels = np.asarray(labels, np.int64)
    k = int(labels.max(initial=-1)) + 1
    if k > len(labels):
        raise DataError("a phase has no interval", hint="number the phases from 0, without gaps")
    weights = _not_all_zero(labels, signatures.weights, k)
    shares = np.bincount(labels, weights=weights, minlength=k)
    columns = [np.bincount(labels, weights=weights * column, minlength=k) for column in signatures.matrix.T]
    centers = np.stack(columns, axis=1) / shares[:, None]
    distances = np.sqrt(((signatures.matrix - centers[labels]) ** 2).sum(axis=1))
    return Phases(labels, centers, distances, model={"method": GIVEN, "notes": list(notes)})


def _not_all_zero(labels: NDArray[np.int64], weights: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Weights; equal ones in a phase whose intervals weigh nothing, so that it has a centre."""
    empty = np.bincount(labels, weights=weights, minlength=k) == 0
    return np.where(empty[labels], 1.0, weights)
