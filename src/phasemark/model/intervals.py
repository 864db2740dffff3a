"""Intervals: the run cut into stretches, one row an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd

#: What an interval can be; a row holds the index.
KINDS = ("fixed", "variable", "transition", "tail")


@dataclass(frozen=True, eq=False)
class Intervals(Value):
    """Half-open stretches [start, start + length) of a thread, in instructions of that thread.

    Rows are ordered by (run, thread, index); the intervals of one thread tile it from 0 without gap.

    Attributes:
        run: which run, int32, from 0.
        thread: which thread of the run, int32, from 0, in order of birth.
        index: number of the interval in its thread, int64, from 0.
        start, length: instructions, int64; an interval of length 0 is one in which the source recorded
            no instruction.
        kind: index into KINDS, int8.

    Raises:
        DataError: rows out of order, or intervals that do not tile their thread; names the row.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    index: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    kind: NDArray[np.int8]

    def __post_init__(self) -> None:
        n = len(self.start)
        dtypes = {
            "run": np.int32,
            "thread": np.int32,
            "index": np.int64,
            "start": np.int64,
            "length": np.int64,
            "kind": np.int8,
        }
        for name, dtype in dtypes.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        self._check()

    def _check(self) -> None:
        if not len(self):
            return
        require((self.kind >= 0) & (self.kind < len(KINDS)), "an interval is of an unknown kind")
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require(self.length >= 0, "an interval has a negative length")
        first = self.first_of_thread()
        later = np.concatenate(
            ([True], (np.diff(self.run) > 0) | ((np.diff(self.run) == 0) & (np.diff(self.thread) >= 0)))
        )
        require(later, "the rows are not ordered by run, thread and index", "sort them")
        previous_index = np.concatenate(([-1], self.index[:-1]))
        previous_end = np.concatenate(([0], self.start[:-1] + self.length[:-1]))
        require(
            self.index == np.where(first, 0, previous_index + 1),
            "the intervals of a thread are not numbered 0, 1, 2 ...",
        )
        require(
            self.start == np.where(first, 0, previous_end),
            "an interval does not start where the one before it ends",
            "intervals tile a thread from instruction 0; set start to the sum of the lengths before",
        )

    def __len__(self) -> int:
        return len(self.start)

    def first_of_thread(self) -> NDArray[np.bool_]:
        """True where a row is the first of its (run, thread)."""
        return np.concatenate(([True], (np.diff(self.run) != 0) | (np.diff(self.thread) != 0)))[: len(self)]

    @classmethod
    def of_thread(
        cls, lengths: NDArray[np.int64], *, nominal: int | None = None, thread: int = 0
    ) -> Intervals:
        """The intervals of one thread of run 0, from their lengths.

        Args:
            lengths: instructions, in order.
            nominal: the length asked for; a shorter last interval is then a `tail`. None: all are
                `fixed` as far as is known.
        """
        lengths = np.asarray(lengths, np.int64)
        n = len(lengths)
        kind = np.zeros(n, np.int8)
        if n and nominal is not None and lengths[-1] < nominal:
            kind[-1] = KINDS.index("tail")
        start = np.cumsum(lengths) - lengths
        return cls(np.zeros(n, np.int32), np.full(n, thread, np.int32), np.arange(n), start, lengths, kind)

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, index, start, length, kind."""
        import pandas as pd

        return pd.DataFrame(
            {
                "run": self.run,
                "thread": self.thread,
                "index": self.index,
                "start": self.start,
                "length": self.length,
                "kind": pd.Categorical.from_codes(self.kind, categories=list(KINDS)),
            }
        )


def concatenate(parts: list[Intervals]) -> Intervals:
    """The rows of several tables, one below the other.

    Raises:
        DataError: they are not in order of run and thread.
    """
    if not parts:
        raise DataError("no intervals to join")
    names = ("run", "thread", "index", "start", "length", "kind")
    return Intervals(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))
