"""Bins: neighbouring rows gathered, so that a picture of a long run stays small."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cut(breaks: NDArray[np.bool_], limit: int, lengths: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Cut n rows into neighbouring bins of nearly equal size, about `limit` at most.

    Args:
        breaks: n bools: True where a bin must begin (a thread's first row).
        limit: bins wanted at most; exceeded by at most one a thread. With `limit` rows or fewer, every
            row is its own bin.
        lengths: of the rows: bins are then of nearly equal length, as far as rows allow, not of equally
            many rows.

    Returns:
        The bins' first rows and, last, n: int64, bins + 1.
    """
    n = len(breaks)
    if not n:
        return np.zeros(1, np.int64)
    if lengths is not None and n > limit and lengths.sum():
        return _cut_by_length(breaks, limit, lengths)
    firsts = np.flatnonzero(breaks)
    sizes = np.diff(np.append(firsts, n))
    parts = np.maximum(1, sizes * min(limit, n) // n)
    bounds = [first + size * np.arange(k) // k for first, size, k in zip(firsts, sizes, parts, strict=True)]
    return np.append(np.concatenate(bounds), n).astype(np.int64)


def _cut_by_length(breaks: NDArray[np.bool_], limit: int, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """A bin begins wherever another `limit`-th of the whole length does."""
    before = np.cumsum(lengths.astype(np.float64)) - lengths
    step = np.floor(before * (limit / float(lengths.sum())))
    fresh = breaks | np.concatenate(([True], np.diff(step) > 0))
    return np.append(np.flatnonzero(fresh), len(breaks)).astype(np.int64)


def majority(
    bounds: NDArray[np.int64], labels: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.int32]:
    """The label with most weight in each bin (the smallest on ties), int32, one a bin."""
    bins, k = len(bounds) - 1, int(labels.max(initial=0)) + 1
    member = np.repeat(np.arange(bins), np.diff(bounds))
    keys, inverse = np.unique(member * k + labels, return_inverse=True)
    weight = np.bincount(inverse, weights)
    order = np.lexsort((keys, -weight, keys // k))
    first = np.concatenate(([True], np.diff(keys[order] // k) > 0))
    return np.asarray(keys[order][first] % k, np.int32)
