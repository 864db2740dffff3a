"""Markers: where intervals begin, as a place in the code and how often it was executed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Markers(Value):
    """The instruction that each interval of a profile begins with: (PC, count), one row an interval.

    A simulator that counts executions of that instruction finds where the interval begins, even where its
    count of instructions is another. An interval ends where the next one of its thread begins.

    Attributes:
        block: row of the profile's Blocks whose first instruction it is, int32; -1 where the interval does
            not begin with a block.
        count: executions of it by the thread from its beginning on, this one included, int64; 0: not known.
        total: the same by all threads of the run, in the order in which they ran when it was recorded,
            int64; 0: not known.
        site: row of the profile's Sites with whose event the interval begins, int32; -1 where it begins with
            none; None where events were not recorded.

    Raises:
        DataError: a block without a count, a count of one thread above that of all, or a row below -1.
    """

    block: NDArray[np.int32]
    count: NDArray[np.int64]
    total: NDArray[np.int64]
    site: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        put(self, "block", column("block", self.block, np.int32))
        for name in ("count", "total"):
            put(self, name, column(name, getattr(self, name), np.int64, len(self.block)))
        require(self.block >= -1, "a marker names a block that is not there")
        require((self.count > 0) == (self.block >= 0), "a marker has a block, or a count, without the other")
        require((self.total == 0) | (self.total >= self.count), "one thread counts more than all threads")
        if self.site is not None:
            put(self, "site", column("site", self.site, np.int32, len(self.block)))
            require(self.site >= -1, "a marker names a site that is not there")

    def __len__(self) -> int:
        return len(self.block)

    def frame(self) -> pd.DataFrame:
        """A table with columns block, count, total, and site where that was recorded."""
        import pandas as pd

        names = ("block", "count", "total") if self.site is None else ("block", "count", "total", "site")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        return _show.line(self, intervals=len(self), marked=int((self.block >= 0).sum()))

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
