"""Intervals: the run cut into stretches, one row an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd

#: What an interval can be; a row holds the index.
KINDS = ("fixed", "variable", "transition", "tail")


@dataclass(frozen=True, eq=False, repr=False)
class Intervals(Value):
    """Half-open stretches [start, start + length) of a thread, in instructions of that thread.

    Rows are ordered by (run, thread, index); the intervals of one thread follow one another without overlap.
    A gap between them holds instructions that the source counted in no interval.

    Attributes:
        run: which run, int32, from 0.
        thread: which thread of the run, int32, from 0, in order of birth (by creator, where several create
            threads).
        index: number of the interval in its thread, int64, from 0.
        start, length: instructions, int64; an interval of length 0 is one in which the source recorded
            no instruction.
        kind: index into KINDS, int8.
        began: when each started, int64 ticks of a clock that all threads of a run share; what a tick is,
            the provenance says. None: that is not known.
        ended: when each had done its last instruction, int64 ticks of that clock: before its successor began
            where the thread waited between them. None: that is not known.

    Raises:
        DataError: rows out of order, intervals of a thread that overlap, or one that began before the one
            ahead of it did, or had ended, or ended before it began; names the row.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    index: NDArray[np.int64]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    kind: NDArray[np.int8]
    began: NDArray[np.int64] | None = None
    ended: NDArray[np.int64] | None = None

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
        if self.began is not None:
            dtypes["began"] = np.int64
        if self.ended is not None:
            if self.began is None:
                raise DataError("it is known when intervals ended, but not when they began")
            dtypes["ended"] = np.int64
        for name, dtype in dtypes.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        self._check()

    def _check(self) -> None:
        if not len(self):
            return
        require((self.kind >= 0) & (self.kind < len(KINDS)), "an interval is of an unknown kind")
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require(self.length >= 0, "an interval has a negative length")
        require(
            self.start <= np.iinfo(np.int64).max - self.length,
            "an interval ends at instruction 2^63 or later",
        )
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
            self.start >= np.where(first, 0, previous_end),
            "an interval starts before the one ahead of it ends",
            "the first starts at instruction 0 or later, each other where the one ahead of it ends or later",
        )
        if self.began is not None:
            in_time = np.concatenate(([True], self.began[1:] >= self.began[:-1]))
            require(first | in_time, "an interval began before the one ahead of it in its thread")
            if self.ended is not None:
                require(self.ended >= self.began, "an interval ended before it began")
                after = np.concatenate(([True], self.began[1:] >= self.ended[:-1]))
                require(first | after, "an interval began before the one ahead of it in its thread ended")

    def __len__(self) -> int:
        return len(self.start)

    def gaps(self) -> NDArray[np.int64]:
        """Instructions between each start and the end of the interval ahead, or the thread's beginning."""
        end = np.concatenate(([0], self.start[:-1] + self.length[:-1]))[: len(self)]
        gaps: NDArray[np.int64] = self.start - np.where(self.first_of_thread(), 0, end)
        return gaps

    def first_of_thread(self) -> NDArray[np.bool_]:
        """True where a row is the first of its (run, thread)."""
        return np.concatenate(([True], (np.diff(self.run) != 0) | (np.diff(self.thread) != 0)))[: len(self)]

    @classmethod
    def of_thread(
        cls,
        lengths: NDArray[np.int64],
        *,
        nominal: int | None = None,
        thread: int = 0,
        began: NDArray[np.int64] | None = None,
    ) -> Intervals:
        """The intervals of one thread of run 0, from their lengths.

        Args:
            lengths: instructions, in order.
            nominal: the length asked for; a shorter last interval is then a `tail`. None: all are
                `fixed` as far as is known.
            thread: its number.
            began: when each started, ticks.
        """
        lengths = np.asarray(lengths, np.int64)
        n = len(lengths)
        kind = np.zeros(n, np.int8)
        if n and nominal is not None and lengths[-1] < nominal:
            kind[-1] = KINDS.index("tail")
        start = np.cumsum(lengths) - lengths
        run, threads = np.zeros(n, np.int32), np.full(n, thread, np.int32)
        return cls(run, threads, np.arange(n), start, lengths, kind, began)

    @property
    def is_tail(self) -> NDArray[np.bool_]:
        """Whether an interval is a tail: cut short, as the last of a thread mostly is."""
        return np.asarray(self.kind == KINDS.index("tail"))

    def outside(self, minimum: int, maximum: int) -> tuple[int, int]:
        """How many intervals are shorter than `minimum` instructions, and how many longer than `maximum`."""
        short, long = self.length < minimum, self.length > maximum
        return int(np.count_nonzero(short)), int(np.count_nonzero(long))

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, index, start, length, kind; and began and ended, where known."""
        import pandas as pd

        columns = {name: getattr(self, name) for name in ("run", "thread", "index", "start", "length")}
        columns["kind"] = pd.Categorical.from_codes(self.kind, categories=list(KINDS))
        if self.began is not None:
            columns["began"] = self.began
        if self.ended is not None:
            columns["ended"] = self.ended
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        first = self.first_of_thread()
        return _show.line(
            self, intervals=len(self), threads=int(first.sum()), instructions=int(self.length.sum())
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def concatenate(parts: list[Intervals]) -> Intervals:
    """The rows of several tables, one below the other.

    Raises:
        DataError: they are not in order of run and thread, or of only some is known when they began or ended.
    """
    if not parts:
        raise DataError("no intervals to join")
    names = ["run", "thread", "index", "start", "length", "kind"]
    for name in ("began", "ended"):
        timed = [getattr(part, name) is not None for part in parts]
        if any(timed) and not all(timed):
            raise DataError(
                f"of some intervals it is known when they {name}, of others not",
                hint=f"join intervals of one clock, or leave out `{name}`",
            )
        names += [name] if all(timed) else []
    return Intervals(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))
