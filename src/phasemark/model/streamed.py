"""StreamedCounts: counts of a run that is too large to hold, given some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phasemark.model import _show
from phasemark.model._check import column, put
from phasemark.model.counts import Counts

#: So many counts are held (12 bytes each); of more, some rows at a time are.
MOST_HELD = 1 << 22


class StreamedCounts(Counts):
    """Counts that are made or read when they are asked for, and not kept.

    `rows()` gives them in bounded memory. `indices` and `data` give all of them as arrays, as of any Counts:
    twelve bytes each, and more while they are put together.

    Args:
        indptr: rows + 1 row pointers.
        columns: number of columns.
        batches: begins to give the rows anew, in order, whole rows in each batch. What it gives is checked
            as it comes.
        largest: the largest count; None: that is not known.
        keys: see Counts.

    Raises:
        DataError: of all that needs the counts: they are damaged.
    """

    def __init__(
        self,
        indptr: NDArray[np.int64],
        columns: int,
        batches: Callable[[], Iterator[Counts]],
        largest: int | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> None:
        put(self, "indptr", column("indptr", indptr, np.int64))
        put(self, "columns", columns)
        put(self, "keys", None if keys is None else column("keys", keys, np.uint64, columns))
        put(self, "_batches", batches)
        put(self, "_largest", largest)

    def __reduce__(self) -> tuple[object, ...]:
        return Counts, (self.indptr, self.indices, self.data, self.columns, self.keys)

    def __repr__(self) -> str:
        return _show.line(self, rows=len(self), columns=self.columns, counts=int(self.indptr[-1]))

    def rows(self) -> Iterator[Counts]:
        """The rows in order, some at a time."""
        return self._batches()  # type: ignore[attr-defined, no-any-return]

    def named(self, keys: NDArray[np.uint64]) -> Counts:
        """The same counts, whose columns have these keys."""
        return StreamedCounts(self.indptr, self.columns, self._batches, self._largest, keys)  # type: ignore[attr-defined]

    @cached_property
    def _whole(self) -> Counts:
        none = Counts([0], [], [], self.columns)  # type: ignore[arg-type]
        parts = [none, *self.rows()]
        indices, data = (np.concatenate([getattr(p, n) for p in parts]) for n in ("indices", "data"))
        return Counts(self.indptr, indices, data, self.columns, self.keys)

    @property
    def indices(self) -> NDArray[np.int32]:
        """int32 columns, strictly ascending within a row."""
        return self._whole.indices

    @property
    def data(self) -> NDArray[np.int64]:
        """int64 instructions, > 0."""
        return self._whole.data

    def largest(self) -> int:
        """The largest count; 0 where there is none."""
        known: int | None = self._largest  # type: ignore[attr-defined]
        return super().largest() if known is None else known

    def require_sums(self, lengths: NDArray[np.int64]) -> None:
        """Nothing: what gives the rows sees to their sums as they come."""

    def row_sums(self) -> NDArray[np.int64]:
        """Instructions of each row, int64."""
        return np.concatenate([np.empty(0, np.int64), *(part.row_sums() for part in self.rows())])

    def column_sums(self) -> NDArray[np.int64]:
        """Instructions of each block over all rows, int64 (exact)."""
        out = np.zeros(self.columns, np.int64)
        for part in self.rows():
            out += part.column_sums()
        return out


def as_counts(
    indptr: NDArray[np.int64],
    columns: int,
    batches: Callable[[], Iterator[Counts]],
    largest: int | None = None,
) -> Counts:
    """Counts that are held if they are few, else streamed; see StreamedCounts."""
    streamed = StreamedCounts(indptr, columns, batches, largest)
    return streamed if int(indptr[-1]) > MOST_HELD else streamed._whole
