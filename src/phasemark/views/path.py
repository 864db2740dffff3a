"""Path: the run as a line through three dimensions (variable-length-intervals, figure 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Signatures


@dataclass(frozen=True, eq=False)
class Path3:
    """Where each interval lies in three dimensions.

    Attributes:
        points: n x 3 doubles, centred on the weighted mean.
        kept: share of the signatures' variance that the three dimensions keep, 0 to 1.
        weights: of the intervals, n doubles that sum to 1.
    """

    points: NDArray[np.float64]
    kept: float
    weights: NDArray[np.float64]

    def in_bins(self, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
        """The mean place of each bin of intervals by weight (see `bins.cut`), bins x 3; 0 of weight 0."""
        if not len(self.points):
            return self.points
        sums = np.add.reduceat(self.points * self.weights[:, None], bounds[:-1], axis=0)
        weights = np.add.reduceat(self.weights, bounds[:-1])[:, None]
        return np.asarray(np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0))


def trajectory(signatures: Signatures) -> Path3:
    """The signatures along their three principal axes (weighted), the widest first.

    The paper projects at random; principal axes keep as much of the distances as three dimensions can,
    and need no seed. An axis points where its component of largest magnitude is positive.
    """
    mean, axes, kept = principal(signatures.matrix, signatures.weights)
    return _along(signatures, mean, axes, kept)


def beside(first: Signatures, second: Signatures) -> tuple[Path3, Path3]:
    """Two kinds of intervals of one run along the same axes: the principal ones of both together.

    Args:
        first, second: projected alike.
    """
    both = np.concatenate([first.matrix, second.matrix])
    mean, axes, kept = principal(both, np.concatenate([first.weights, second.weights]) / 2)
    return _along(first, mean, axes, kept), _along(second, mean, axes, kept)


def principal(
    points: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The weighted mean of points, their three widest axes as columns, and the share of variance these keep.

    Args:
        points: n x d doubles.
        weights: n doubles that sum to 1.
    """
    # einsum adds in one fixed order: BLAS would not, with other numbers of threads.
    mean = np.einsum("i,ij->j", weights, points)
    x = points - mean
    values, vectors = np.linalg.eigh(np.einsum("i,ij,ik->jk", weights, x, x, optimize=False))
    axes = vectors[:, ::-1][:, :3]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    total = float(values.sum())
    return mean, axes, float(values[::-1][:3].sum()) / total if total > 0 else 1.0


def _along(
    signatures: Signatures, mean: NDArray[np.float64], axes: NDArray[np.float64], kept: float
) -> Path3:
    points = np.zeros((len(signatures.matrix), 3))
    points[:, : axes.shape[1]] = np.einsum("ij,jk->ik", signatures.matrix - mean, axes)
    return Path3(points, kept, signatures.weights)
