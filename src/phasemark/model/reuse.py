"""Reuse: how long ago each interval's memory was used, and how its branches surprise, on no machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError, shown
from phasemark.model import _show
from phasemark.model._check import Value, column, frozen, put, require

if TYPE_CHECKING:
    import pandas as pd

#: What lines are of.
TABLES = ("data", "code")

#: Bytes of a line of memory.
LINE = 64

#: More bands, and fewer lines looked at, than make sense.
FEWEST_BANDS, MOST_BANDS, MOST_LINES = 2, 32, 2**20


@dataclass(frozen=True, eq=False, repr=False)
class Reuse(Value):
    """How many other lines of memory were accessed since an access's line was (its stack distance).

    Of a line of so many each access is counted, in one of m bands; each stands for accesses to as many lines.

    Attributes:
        data: intervals x m bands, int64: first accesses with none of the lines looked at in between, then
            with 1, 2 to 3, 4 to 7 ... of them; last those to lines that were new, or too long ago.
        code: the same of lines of code, accessed by each block that lies in them.
        lines: one line of so many is looked at, 1 to 2^20.
        surprises: of each interval, branches that went another way than what they did before foretold (see
            native/collector/core/branches.h), int64, n; None: nobody counted.

    Raises:
        DataError: no tables of 2 to 32 bands, a negative count, more accesses in an interval than int64
            counts, surprises of other intervals, or no such share of lines.
    """

    data: NDArray[np.int64]
    code: NDArray[np.int64]
    lines: int
    surprises: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.lines <= MOST_LINES:
            raise DataError(
                f"of reuse, one line of {self.lines:,} was looked at", hint="it must be 1 to 2^20"
            )
        for name in TABLES:
            put(self, name, _table(getattr(self, name), self.lines))
        if self.data.shape != self.code.shape:
            raise DataError("reuse of data and of code has other intervals or bands")
        if self.surprises is not None:
            put(self, "surprises", column("surprises", self.surprises, np.int64, len(self.data)))
            require(self.surprises >= 0, "a count of surprises is negative")

    def __len__(self) -> int:
        return len(self.data)

    @property
    def bands(self) -> int:
        """m, how many bands there are."""
        return int(self.data.shape[1])

    @property
    def reach(self) -> NDArray[np.int64]:
        """Bytes of other memory from which on an access is in the band, int64, m."""
        others = np.append(0, 2 ** np.arange(self.bands - 1, dtype=np.int64))
        return np.asarray(others * self.lines * LINE, np.int64)

    def beyond(self, size: int, of: str = "data") -> NDArray[np.int64]:
        """Accesses that come after at least so many bytes of other memory: what a cache of that size lacks.

        Args:
            size: bytes; between two bands that of the next one.
            of: data or code.

        Returns:
            Of each interval, int64: counts times lines.

        Raises:
            UsageError: of something else.
        """
        if of not in TABLES:
            raise UsageError(f"there is no reuse of {shown(of)}", hint=f"one of: {', '.join(TABLES)}")
        first = int(np.searchsorted(self.reach, size))
        counts = self.data if of == "data" else self.code
        return np.asarray(counts[:, min(first, self.bands - 1) :].sum(axis=1) * self.lines, np.int64)

    def select(self, rows: NDArray[np.int64]) -> Reuse:
        """Some intervals."""
        surprises = None if self.surprises is None else self.surprises[rows]
        return Reuse(self.data[rows], self.code[rows], self.lines, surprises)

    def summed(self, rows: NDArray[np.int64], n: int) -> Reuse:
        """Of intervals that are put together: that in row i goes to row rows[i] of n."""
        sums = np.zeros((2, n, self.bands), np.int64)
        np.add.at(sums[0], rows, self.data)
        np.add.at(sums[1], rows, self.code)
        if self.surprises is None:
            return Reuse(sums[0], sums[1], self.lines)
        surprises = np.zeros(n, np.int64)
        np.add.at(surprises, rows, self.surprises)
        return Reuse(sums[0], sums[1], self.lines, surprises)

    @classmethod
    def of_all(cls, parts: Sequence[Reuse | None]) -> Reuse | None:
        """That of several profiles, one below the other; None where not all have it, with equal bands.

        What has no interval has whatever bands.
        """
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or not known:
            return None
        known = [part for part in known if len(part)] or known[:1]
        if len({(part.bands, part.lines) for part in known}) > 1:
            return None
        data, code = (np.concatenate([getattr(part, name) for part in known]) for name in TABLES)
        counted = [part.surprises for part in known if part.surprises is not None]
        surprises = np.concatenate(counted) if len(counted) == len(known) else None
        return cls(data, code, known[0].lines, surprises)

    def frame(self) -> pd.DataFrame:
        """A table with a row an interval, and columns data and code x the bytes from which a band counts."""
        import pandas as pd

        tables = {name: pd.DataFrame(getattr(self, name) * self.lines) for name in TABLES}
        return pd.concat({n: t.set_axis(self.reach.tolist(), axis=1) for n, t in tables.items()}, axis=1)

    def __repr__(self) -> str:
        return _show.line(self, intervals=len(self), bands=self.bands, lines=self.lines)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def _table(counts: ArrayLike, lines: int) -> NDArray[np.int64]:
    table = np.asarray(counts)
    if table.ndim != 2 or not FEWEST_BANDS <= table.shape[1] <= MOST_BANDS or table.dtype.kind not in "iu":
        raise DataError("reuse of memory is no table of whole numbers, a row an interval, a column a band")
    whole = frozen(table.astype(np.int64, order="C", copy=False))
    require(np.asarray((whole >= 0).all(axis=1)), "a count of accesses is negative")
    accesses = whole.sum(axis=1, dtype=np.float64) * lines
    require(np.asarray(accesses < 2.0**63), "counts of accesses are too large to be true")
    return whole
