"""Counts: the sparse matrix of instructions executed, intervals x blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False, repr=False)
class Counts(Value):
    """Compressed sparse rows (CSR) of int64, without SciPy's start-up cost.

    Attributes:
        indptr: int64, rows + 1: row i is entries indptr[i] to indptr[i+1].
        indices: int32 columns, strictly ascending within a row.
        data: int64 instructions, > 0.
        columns: number of columns (blocks).
        keys: uint64, what names each column whatever others there are, for who hashes them; None: its number.

    Raises:
        DataError: the arrays are no such matrix, or not as many keys as columns.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[np.int64]
    columns: int
    keys: NDArray[np.uint64] | None = None

    def __post_init__(self) -> None:
        put(self, "indptr", column("indptr", self.indptr, np.int64))
        put(self, "indices", column("indices", self.indices, np.int32))
        put(self, "data", column("data", self.data, np.int64, len(self.indices)))
        if self.keys is not None:
            put(self, "keys", column("keys", self.keys, np.uint64, self.columns))
        self._check()

    def _check(self) -> None:
        steps = np.diff(self.indptr)
        if not len(self.indptr) or self.indptr[0] != 0 or self.indptr[-1] != len(self.data):
            raise DataError("row pointers do not span the counts")
        require(steps >= 0, "row pointers fall")
        if not len(self.data):
            return
        # Extremes first: they take a fraction of what finding the row takes, and all is well nearly always.
        if self.indices.min() < 0 or self.indices.max() >= self.columns:
            good = (self.indices >= 0) & (self.indices < self.columns)
            self._fail(int(np.argmin(good)), "a count names a block that is not there")
        if self.data.min() <= 0:
            self._fail(int(np.argmax(self.data <= 0)), "a stored count is not above 0")
        falls = self.indices[1:] <= self.indices[:-1]
        starts = self.indptr[1:-1]
        falls[starts[(starts > 0) & (starts < len(self.indices))] - 1] = False
        if falls.any():
            entry = int(np.argmax(falls)) + 1
            self._fail(entry, "the blocks of a row are not in ascending order, each once")

    def _fail(self, entry: int, message: str) -> NoReturn:
        """Raise a DataError that names the row of an entry."""
        raise DataError(message, row=int(np.searchsorted(self.indptr, entry, side="right")) - 1)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        return _show.line(self, rows=len(self), columns=self.columns, counts=len(self.data))

    def rows(self) -> Iterator[Counts]:
        """The rows in order, some at a time: what loops over these is bounded in memory."""
        yield self

    def largest(self) -> int:
        """The largest count; 0 where there is none."""
        return max((int(part.data.max(initial=0)) for part in self.rows()), default=0)

    def require_sums(self, lengths: NDArray[np.int64]) -> None:
        """See that rows sum to what they should.

        Raises:
            DataError: one does not; names the row.
        """
        require(
            self.row_sums() == lengths,
            "the counts of an interval do not sum to its length",
            "an interval's length is the number of instructions counted in it",
        )

    def row_sums(self) -> NDArray[np.int64]:
        """Instructions of each row, int64."""
        sums = np.zeros(len(self), np.int64)
        filled = self.indptr[1:] > self.indptr[:-1]
        if filled.any():
            sums[filled] = np.add.reduceat(self.data, self.indptr[:-1][filled])
        return sums

    def column_sums(self) -> NDArray[np.int64]:
        """Instructions of each block over all rows, int64 (exact)."""
        out = np.zeros(self.columns, np.int64)
        np.add.at(out, self.indices, self.data)
        return out

    def select(self, rows: NDArray[np.int64]) -> Counts:
        """The given rows, in the given order."""
        lengths = np.diff(self.indptr)[rows]
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        take = np.arange(indptr[-1]) + np.repeat(self.indptr[:-1][rows] - indptr[:-1], lengths)
        return Counts(indptr, self.indices[take], self.data[take], self.columns, self.keys)

    def named(self, keys: NDArray[np.uint64]) -> Counts:
        """The same counts, whose columns have these keys."""
        return Counts(self.indptr, self.indices, self.data, self.columns, keys)

    def to_scipy(self) -> csr_matrix:
        """The same matrix as scipy.sparse.csr_matrix (sharing memory)."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=(len(self), self.columns))
