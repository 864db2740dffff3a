"""How much an answer hangs on its seed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import _show

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Outcome:
    """What one seed gave.

    Attributes:
        seed: of projection, clustering and sample.
        labels: n whole numbers: the phase of each interval.
        points: what names each simulation point.
    """

    seed: int
    labels: NDArray[np.int32]
    points: frozenset[Hashable]


@dataclass(frozen=True, eq=False, repr=False)
class Stability:
    """What m seeds gave, compared with one another.

    Attributes:
        seeds: m whole numbers.
        k: m numbers of phases.
        agreement: m x m adjusted Rand indices of the labels, 1 on the diagonal.
        points: m numbers of points.
        shared: m x m shares of points in common: those both have / those either has.
    """

    seeds: NDArray[np.int64]
    k: NDArray[np.int64]
    agreement: NDArray[np.float64]
    points: NDArray[np.int64]
    shared: NDArray[np.float64]

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Stability:
        """Compare at least two outcomes on the same intervals."""
        return cls(
            np.array([outcome.seed for outcome in outcomes], np.int64),
            np.array([len(np.unique(outcome.labels)) for outcome in outcomes], np.int64),
            _square([[adjusted_rand_index(a.labels, b.labels) for b in outcomes] for a in outcomes]),
            np.array([len(outcome.points) for outcome in outcomes], np.int64),
            _square(
                [[len(a.points & b.points) / len(a.points | b.points) for b in outcomes] for a in outcomes]
            ),
        )

    def table(self) -> dict[str, list[float]]:
        """One row a seed, each compared with the others: columns as in stability.csv."""
        columns = {
            "seed": self.seeds,
            "k": self.k,
            "agreement": _others(self.agreement).mean(axis=1),
            "lowest_agreement": _others(self.agreement).min(axis=1),
            "points": self.points,
            "shared_points": _others(self.shared).mean(axis=1),
        }
        return {name: column.tolist() for name, column in columns.items()}

    def frame(self) -> pd.DataFrame:
        """`table` as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.table())

    def __repr__(self) -> str:
        ks = f"{self.k.min()} to {self.k.max()}"
        agreement, shared = (float(_others(matrix).mean()) for matrix in (self.agreement, self.shared))
        return _show.line(self, seeds=len(self.seeds), k=ks, agreement=agreement, shared_points=shared)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def adjusted_rand_index(a: ArrayLike, b: ArrayLike) -> float:
    """Agreement of two partitions of the same n things: 1 if equal, 0 on average by chance.

    Hubert and Arabie, "Comparing partitions", 1985, equation 5. Two partitions that are both a single part,
    or both single things, agree: 1.

    Raises:
        DataError: they are not of equally many things, or of none.
    """
    first, second = np.asarray(a), np.asarray(b)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise DataError(
            f"labels of shapes {first.shape} and {second.shape}", hint="give one of each for each"
        )
    _, rows = np.unique(first, return_inverse=True)
    _, columns = np.unique(second, return_inverse=True)
    both = np.unique(rows * (columns.max() + 1) + columns, return_counts=True)[1]
    together, in_a, in_b = (_pairs(counts) for counts in (both, np.bincount(rows), np.bincount(columns)))
    by_chance = in_a * in_b / _pairs(np.array([len(rows)])) if len(rows) > 1 else 0.0
    most = (in_a + in_b) / 2
    return 1.0 if most == by_chance else (together - by_chance) / (most - by_chance)


def _pairs(counts: NDArray[np.int64]) -> float:
    return float((counts.astype(np.float64) * (counts - 1) / 2).sum())


def _square(values: list[list[float]]) -> NDArray[np.float64]:
    return np.array(values, np.float64)


def _others(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row without its diagonal entry: m x (m - 1)."""
    m = len(matrix)
    return matrix[~np.eye(m, dtype=np.bool_)].reshape(m, m - 1)
