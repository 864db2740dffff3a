"""What is clustered: points and weights, checked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import Counts, Signatures

#: Squares of larger coordinates, summed, leave the range of a double.
_LARGEST = 1e150

#: Differences below this part of the vectors' magnitude are rounding, not phases.
_RELATIVE_SPREAD = 1e-6

#: The kernel's grid: steps of 2^-51 of the largest coordinate, at least 2^-1000.
_COORDINATE_BITS = 51
_LARGEST_SCALE = 1000

#: For points that all lie at the origin.
_LEAST_VARIANCE = 1e-300


@dataclass(frozen=True)
class Observations:
    """n points in d dimensions and their weights, which sum to 1.

    Attributes:
        x: n x d doubles, C-ordered, finite.
        weights: n doubles from 0.
    """

    x: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, X: ArrayLike | Signatures, sample_weight: ArrayLike | None = None) -> Observations:
        """Check and join points and weights; Signatures bring their own weights.

        Raises:
            DataError: no points, a value that is not finite or a negative weight (names the row), or
                weights that are all 0.
        """
        if isinstance(X, Signatures):
            return cls(
                _on_grid(matrix(X)), _weights(X.weights if sample_weight is None else sample_weight, len(X))
            )
        x = _on_grid(matrix(X))
        return cls(x, _weights(sample_weight, len(x)))

    def __len__(self) -> int:
        return len(self.x)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Observations:
        """Some of the points, their weights scaled to sum to 1."""
        weights = self.weights[chosen]
        return Observations(np.ascontiguousarray(self.x[chosen]), weights / weights.sum())

    def distinct(self, limit: int) -> int:
        """Number of different points, counted no further than `limit`."""
        seen: set[bytes] = set()
        for row in self.x:
            seen.add(row.tobytes())
            if len(seen) >= limit:
                break
        return len(seen)

    def variance_floor(self) -> float:
        """The least variance that a dimension is credited with, so that equal points have a finite score."""
        squares = np.square(self.x).sum(axis=1) * self.weights
        magnitude = float(squares.sum()) / int(self.x.shape[1])
        return max(magnitude * _RELATIVE_SPREAD**2, _LEAST_VARIANCE)

    def effective_n(self) -> float:
        """Kish's effective number of observations, (sum w)^2 / sum w^2."""
        return float(1.0 / np.square(self.weights).sum())


def matrix(X: ArrayLike | Signatures) -> NDArray[np.float64]:
    """Points as n x d doubles.

    Raises:
        DataError: not two-dimensional, empty, or a value that is not finite; names the row.
    """
    x = _numbers(X.matrix if isinstance(X, Signatures) else X)
    if x.ndim != 2:
        raise DataError(
            f"an array of shape {x.shape} instead of points x dimensions",
            hint="Reshape your data into one row a point",
        )
    if not x.size:
        raise DataError(
            f"{len(x)} sample(s) and {x.shape[1]} feature(s) (shape={x.shape}) while a minimum of 1 is "
            "required."
        )
    bad = ~(np.abs(x) <= _LARGEST).all(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(
            "a coordinate is NaN, inf or too large",
            row=row,
            hint="leave the row out, or correct it",
        )
    return np.ascontiguousarray(x + 0.0)  # -0.0 becomes 0.0: equal points have equal bytes


def _numbers(X: ArrayLike) -> NDArray[np.float64]:
    if isinstance(X, Counts) or hasattr(X, "toarray"):
        raise DataError(
            "sparse input is not supported", hint="project the vectors: phasemark.signatures.project"
        )
    x = np.asarray(X)
    if np.iscomplexobj(x):
        raise DataError("Complex data not supported", hint="give real coordinates")
    return np.asarray(x, np.float64)


def _on_grid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates rounded as the kernel rounds them, so that equal points lie on their mean for us too."""
    _, exponent = np.frexp(np.abs(x).max())
    unit = 2.0 ** max(int(exponent) - _COORDINATE_BITS, -_LARGEST_SCALE)
    return np.rint(x / unit) * unit + 0.0


def _weights(sample_weight: ArrayLike | None, n: int) -> NDArray[np.float64]:
    if sample_weight is None:
        return np.full(n, 1.0 / n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,):
        raise DataError(f"weights of shape {weights.shape} for {n} points")
    bad = ~((weights >= 0) & (weights <= _LARGEST))
    if bad.any():
        raise DataError("a weight is negative or not a number", row=int(np.argmax(bad)))
    if not weights.any():
        raise DataError("all weights are zero", hint="give at least one point a weight above 0")
    scaled = weights / weights.max()
    return np.asarray(scaled / scaled.sum(), np.float64)
