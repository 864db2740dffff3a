"""Counts as evidence: what models of multinomial states are fitted on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import Counts, Signatures

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Doubles = NDArray[np.float64]

#: Larger counts, summed, leave the range in which doubles are exact to a part in a million million.
_LARGEST = 1e100


@dataclass(frozen=True, eq=False)
class Evidence:
    """n sparse rows of counts, in order of time, and how much each weighs.

    Attributes:
        indptr, indices, values: rows in compressed form (CSR); values from 0, not necessarily whole.
        columns: how many blocks there are.
        weights: n doubles from 0: what each row's counts are scaled to, in proportion.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Doubles
    columns: int
    weights: Doubles

    @classmethod
    def of(cls, X: Any, sample_weight: ArrayLike | None = None) -> Evidence:
        """Check and join counts and weights; without weights a row weighs as much as it counts.

        Args:
            X: model.Counts, a scipy.sparse matrix, or n x d numbers from 0.
            sample_weight: n weights from 0, in any unit.

        Raises:
            DataError: not counts: a negative value or one that is no number (names the row), no rows, or no
                weight above 0.
        """
        indptr, indices, values, columns = _rows(X)
        sums = _sums(indptr, values)
        weights = sums if sample_weight is None else _weights(sample_weight, len(indptr) - 1)
        if not weights.any():
            raise DataError("no interval has an instruction, or all weights are zero")
        return cls(indptr, indices, values, columns, weights)

    @classmethod
    def plain(cls, X: Any) -> Evidence:
        """Check counts, which may all be 0: each row weighs as much as it counts.

        Raises:
            DataError: not counts: a negative value or one that is no number (names the row), or no rows.
        """
        indptr, indices, values, columns = _rows(X)
        return cls(indptr, indices, values, columns, _sums(indptr, values))

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def sums(self) -> Doubles:
        """Counts of each row."""
        return _sums(self.indptr, self.values)

    def of_entries(self, values: Doubles) -> Doubles:
        """Sums over each row of one number for each of its entries."""
        return _sums(self.indptr, values)

    def scaled(self, factors: Doubles) -> Evidence:
        """Each row's counts times its factor."""
        values = self.values * np.repeat(factors, np.diff(self.indptr))
        return Evidence(self.indptr, self.indices, values, self.columns, self.weights)

    def select(self, rows: NDArray[np.int64]) -> Evidence:
        """The given rows, in the given order."""
        lengths = np.diff(self.indptr)[rows]
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        take = np.arange(indptr[-1]) + np.repeat(self.indptr[:-1][rows] - indptr[:-1], lengths)
        return Evidence(indptr, self.indices[take], self.values[take], self.columns, self.weights[rows])

    def background(self) -> Doubles:
        """What all rows together execute: columns doubles that sum to 1; all equal where nothing is."""
        sums = np.bincount(self.indices, self.values, self.columns)
        total = sums.sum()
        return sums / total if total > 0 else np.full(self.columns, 1.0 / max(self.columns, 1))

    def log_coefficients(self) -> Doubles:
        """Logarithms of the multinomial coefficients, one a row."""
        from scipy.special import gammaln

        terms = _sums(self.indptr, gammaln(self.values + 1))
        return np.asarray(gammaln(self.sums + 1) - terms, np.float64)

    def times(self, matrix: Doubles) -> Doubles:
        """The rows as a matrix, times columns x m numbers: n x m."""
        return np.asarray(self._matrix() @ matrix, np.float64)

    def sums_by(self, membership: Doubles) -> Doubles:
        """Sums of rows over k groups, to which each row belongs as `membership` (n x k) says: k x columns."""
        return np.ascontiguousarray((self._matrix().T @ membership).T, np.float64)

    def _matrix(self) -> csr_matrix:
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, self.indices, self.indptr), (len(self), self.columns))

    def by_label(self, labels: NDArray[np.int32], k: int) -> Doubles:
        """What the rows of each label together execute: k x columns; 0 of a label without rows."""
        sums = self.sums_by(np.eye(k)[labels])
        totals = sums.sum(axis=1, keepdims=True)
        shares: Doubles = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
        return shares

    def against(self, theta: Doubles) -> Doubles:
        """Kullback-Leibler divergence of each row's shares from `theta` (columns), nats; 0 if empty."""
        sums = np.repeat(np.maximum(self.sums, np.finfo(np.float64).tiny), np.diff(self.indptr))
        shares = self.values / sums
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(shares > 0, shares * (np.log(shares) - np.log(theta[self.indices])), 0.0)
        return np.maximum(_sums(self.indptr, terms), 0.0)


def csr_of(dense: Doubles, least: float) -> tuple[NDArray[np.int64], NDArray[np.int32], Doubles]:
    """The entries of a matrix from `least` on, in compressed rows: indptr, indices, values."""
    rows, columns = np.nonzero(dense >= least)
    indptr = np.searchsorted(rows, np.arange(len(dense) + 1)).astype(np.int64)
    return indptr, columns.astype(np.int32), dense[rows, columns]


def _rows(X: Any) -> tuple[NDArray[np.int64], NDArray[np.int32], Doubles, int]:
    if isinstance(X, Signatures):
        raise DataError(
            "projected vectors, where counts of blocks are needed", hint="give a profile's `vectors`"
        )
    if isinstance(X, Counts):
        return X.indptr, X.indices, X.data.astype(np.float64), X.columns
    from scipy.sparse import csr_matrix, issparse

    if issparse(X):
        _require_not_complex(X)
    matrix = X.tocsr() if issparse(X) else csr_matrix(_dense(X))
    if not matrix.has_canonical_format:
        # The caller's own stays as it is.
        matrix = matrix.copy()
        matrix.sum_duplicates()
    values = np.asarray(matrix.data, np.float64)
    bad = ~((values >= 0) & (values <= _LARGEST))
    if bad.any():
        row = int(np.searchsorted(matrix.indptr, int(np.argmax(bad)), side="right")) - 1
        raise DataError("a count is negative, not a number, or too large", row=row)
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), values, int(matrix.shape[1])


def _dense(X: Any) -> Doubles:
    try:
        _require_not_complex(X)
        dense = np.asarray(X, np.float64)
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        raise DataError(f"these are no counts ({error})", hint="give a profile's `vectors`") from error
    if dense.ndim != 2 or not dense.size:
        raise DataError(f"an array of shape {dense.shape} instead of intervals x blocks")
    return dense


def _require_not_complex(X: Any) -> None:
    if np.iscomplexobj(X):
        raise DataError("complex numbers are no counts", hint="give a profile's `vectors`")


def _weights(sample_weight: ArrayLike, n: int) -> Doubles:
    if np.iscomplexobj(sample_weight):
        raise DataError("complex numbers are no weights")
    weights = np.asarray(sample_weight, np.float64)
    if weights.shape != (n,):
        raise DataError(f"weights of shape {weights.shape} for {n:,} intervals")
    bad = ~((weights >= 0) & (weights <= _LARGEST))
    if bad.any():
        raise DataError("a weight is negative or not a number", row=int(np.argmax(bad)))
    return weights


def _sums(indptr: NDArray[np.int64], values: Doubles) -> Doubles:
    sums = np.zeros(len(indptr) - 1)
    filled = indptr[1:] > indptr[:-1]
    if filled.any():
        sums[filled] = np.add.reduceat(values, indptr[:-1][filled])
    return sums
