"""Rows of counts as a tracker takes them: some at a time, and what names the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import Counts
from phasemark.phases.evidence import Evidence

#: Rows of no more counts are taken at a time.
_PART = 1 << 20

#: Compressed rows: indptr from 0, indices, data.
Part = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class Rows:
    """n rows of counts.

    Attributes:
        source: gives them, some at a time.
        n, columns: how many rows and columns there are.
        keys: uint64, what names each column.
        given: n weights from 0; None: none were given.
        learns: n uint8: whether a row weighs something, or all do as none were given.
    """

    source: Counts | Part
    n: int
    columns: int
    keys: NDArray[np.uint64]
    given: NDArray[np.float64] | None
    learns: NDArray[np.uint8]

    @classmethod
    def of(cls, X: Any, sample_weight: ArrayLike | None = None) -> Rows:
        """Check and join counts and weights.

        Args:
            X: model.Counts, a scipy.sparse matrix, or n x d whole numbers from 0.
            sample_weight: n weights from 0, in any unit.

        Raises:
            DataError: not such counts or weights; names the row.
        """
        source: Counts | Part
        keys = None
        if isinstance(X, Counts):
            source, n, columns, keys = X, len(X), X.columns, X.keys
        else:
            evidence = Evidence.plain(X)
            source = (evidence.indptr, evidence.indices, _whole(evidence))
            n, columns = len(evidence), evidence.columns
        if keys is None:
            keys = np.arange(columns, dtype=np.uint64)
        given = None if sample_weight is None else _weights(sample_weight, n)
        learns = np.ones(n, np.uint8) if given is None else (given > 0).astype(np.uint8)
        return cls(source, n, columns, keys, given, learns)

    def weights(self) -> NDArray[np.float64]:
        """Those that were given, or each row's instructions: n doubles."""
        return self.sums() if self.given is None else self.given

    def sums(self) -> NDArray[np.float64]:
        """Each row's instructions: n doubles."""
        sums = [
            np.add.reduceat(np.append(data, 0), indptr[:-1]) * (np.diff(indptr) > 0)
            for indptr, _, data in self.parts()
        ]
        return np.concatenate([np.empty(0), *sums])

    def parts(self) -> Iterator[Part]:
        """The rows in order, some at a time."""
        if isinstance(self.source, Counts):
            for rows in self.source.rows():
                yield from _cut(rows.indptr, rows.indices, rows.data)
        else:
            yield from _cut(*self.source)


def _cut(indptr: NDArray[np.int64], indices: NDArray[np.int32], data: NDArray[np.int64]) -> Iterator[Part]:
    """Parts of whole rows, so that none takes long."""
    first, n = 0, len(indptr) - 1
    while first < n:
        last = int(np.searchsorted(indptr, indptr[first] + _PART, side="right")) - 1
        last = min(max(last, first + 1), n)
        begin, end = int(indptr[first]), int(indptr[last])
        yield indptr[first : last + 1] - begin, indices[begin:end], data[begin:end]
        first = last


def _whole(evidence: Evidence) -> NDArray[np.int64]:
    values = evidence.values
    good = (values == np.trunc(values)) & (values < 2.0**63)
    if not good.all():
        row = int(np.searchsorted(evidence.indptr, int(np.argmin(good)), side="right")) - 1
        raise DataError(
            "a count is no whole number below 2^63", row=row, hint="give instructions, not their shares"
        )
    return values.astype(np.int64)


def _weights(sample_weight: ArrayLike, n: int) -> NDArray[np.float64]:
    weights = np.asarray(sample_weight, np.float64)
    if weights.shape != (n,):
        raise DataError(f"weights of shape {weights.shape} for {n:,} intervals")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        raise DataError("a weight is negative or not a number", row=int(np.argmax(bad)))
    return weights
