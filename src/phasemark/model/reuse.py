"""Reuse: how long ago each interval's memory was used, whatever the caches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, frozen, put, require

if TYPE_CHECKING:
    import pandas as pd

#: Bytes of a line of memory.
LINE = 64

#: More bands, and fewer lines looked at, than make sense.
_MOST_BANDS, _MOST_LINES = 32, 2**20


@dataclass(frozen=True, eq=False, repr=False)
class Reuse(Value):
    """How many other lines of memory were accessed since an access's line was (its stack distance).

    Of a line of so many each access is counted, in one of m bands; each stands for accesses to as many lines.

    Attributes:
        counts: intervals x m bands, int64: first accesses with none of the lines looked at in between, then
            with 1, 2 to 3, 4 to 7 ... of them; last those to lines that were new, or too long ago.
        lines: one line of so many is looked at, 1 to 2^20.

    Raises:
        DataError: no table of 2 to 32 bands, a negative count, or no such share of lines.
    """

    counts: NDArray[np.int64]
    lines: int

    def __post_init__(self) -> None:
        table = np.asarray(self.counts)
        if table.ndim != 2 or not 2 <= table.shape[1] <= _MOST_BANDS or table.dtype.kind not in "iu":
            raise DataError(
                "reuse of memory is no table of whole numbers, a row an interval, a column a band"
            )
        if not 1 <= self.lines <= _MOST_LINES:
            raise DataError(
                f"of reuse, one line of {self.lines:,} was looked at", hint="it must be 1 to 2^20"
            )
        put(self, "counts", frozen(table.astype(np.int64, order="C", copy=False)))
        require(np.asarray((self.counts >= 0).all(axis=1)), "a count of accesses is negative")

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def bands(self) -> int:
        """m, how many bands there are."""
        return int(self.counts.shape[1])

    @property
    def reach(self) -> NDArray[np.int64]:
        """Bytes of other memory from which on an access is in the band, int64, m."""
        others = np.append(0, 2 ** np.arange(self.bands - 1, dtype=np.int64))
        return np.asarray(others * self.lines * LINE, np.int64)

    def beyond(self, size: int) -> NDArray[np.int64]:
        """Accesses that stand after at least so many bytes of other memory: what a cache of that size lacks.

        Args:
            size: bytes; between two bands that of the next one.

        Returns:
            Of each interval, int64: counts times lines.
        """
        first = int(np.searchsorted(self.reach, size))
        return np.asarray(self.counts[:, min(first, self.bands - 1) :].sum(axis=1) * self.lines, np.int64)

    def select(self, rows: NDArray[np.int64]) -> Reuse:
        """Some intervals."""
        return Reuse(self.counts[rows], self.lines)

    def summed(self, rows: NDArray[np.int64], n: int) -> Reuse:
        """Of intervals that are put together: that in row i goes to row rows[i] of n."""
        sums = np.zeros((n, self.bands), np.int64)
        np.add.at(sums, rows, self.counts)
        return Reuse(sums, self.lines)

    def frame(self) -> pd.DataFrame:
        """A table with a row an interval and a column a band, named by the bytes from which it counts."""
        import pandas as pd

        return pd.DataFrame(self.counts * self.lines, columns=self.reach.tolist())

    def __repr__(self) -> str:
        return _show.line(self, intervals=len(self), bands=self.bands, lines=self.lines)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
