"""Distances: similarity matrices (discovering-and-exploiting-phases, figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts, Signatures
from phasemark.views.sums import Grouping, gathered

_COLUMNS = 8192


def manhattan(counts: Counts, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Manhattan distances between bins of intervals, exact.

    A bin's vector is that of its intervals together, L1-normalised: each counts by its length. Vectors are
    never negative, so that |x - y| = |x| + |y| - 2 sum min(x, y), where only blocks that both executed have
    a share.

    Args:
        counts: instructions, intervals x blocks.
        bounds: the bins' first intervals and, last, the number of intervals (see `bins.cut`).

    Returns:
        m x m doubles from 0 (the same code) to 2 (no block in common), symmetric, diagonal 0.
    """
    (sums,) = gathered(counts, grouping(bounds))
    return between(sums)


def grouping(bounds: NDArray[np.int64]) -> Grouping:
    """How counts are added up for `between`: in bins."""
    bins = len(bounds) - 1
    return Grouping(np.repeat(np.arange(bins), np.diff(bounds)), bins)


def between(sums: Counts) -> NDArray[np.float64]:
    """The distances of `manhattan`, from the instructions of each bin, bins x blocks."""
    vectors = _means(sums)
    common = np.zeros((len(sums),) * 2)
    for first in range(0, vectors.shape[1], _COLUMNS):
        _add_common(common, vectors[:, first : first + _COLUMNS].tocsr())
    whole = np.asarray(vectors.sum(axis=1)).ravel()
    upper = np.triu(whole[:, None] + whole[None, :] - 2 * common, 1)
    return np.asarray(np.clip(upper + upper.T, 0.0, 2.0))


def between_signatures(signatures: Signatures, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Euclidean distances between bins of intervals in what phases were found in.

    A bin's place is the mean of its intervals, by weight; of weight 0 the origin.

    Args:
        signatures: of the intervals.
        bounds: the bins' first intervals and, last, the number of intervals (see `bins.cut`).

    Returns:
        m (m - 1) / 2 doubles, the upper triangle row by row.
    """
    if len(bounds) < 2:
        return np.empty(0)
    from scipy.spatial.distance import pdist

    sums = np.add.reduceat(signatures.matrix * signatures.weights[:, None], bounds[:-1], axis=0)
    weights = np.add.reduceat(signatures.weights, bounds[:-1])[:, None]
    return np.asarray(pdist(np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)))


def _means(sums: Counts) -> Any:
    """Normalised vectors, bins x used blocks (SciPy CSC)."""
    from scipy.sparse import csc_matrix, csr_matrix

    values = sums.data / np.repeat(sums.row_sums(), np.diff(sums.indptr))
    used = np.bincount(sums.indices, minlength=sums.columns) > 0
    columns = (np.cumsum(used) - 1)[sums.indices]
    return csc_matrix(csr_matrix((values, columns, sums.indptr), shape=(len(sums), int(used.sum()))))


def _add_common(common: NDArray[np.float64], vectors: Any) -> None:
    """Add sum min(x, y) over the given blocks to the upper triangle of `common`."""
    by_block = np.ascontiguousarray(vectors.toarray().T)
    for i in range(vectors.shape[0]):
        mine = slice(vectors.indptr[i], vectors.indptr[i + 1])
        others = by_block[vectors.indices[mine], i:]
        common[i, i:] += np.minimum(others, vectors.data[mine, None], out=others).sum(axis=0)
