"""Events: the loops, calls and returns that a thread went through, one row an event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require
from phasemark.model.options import require_given, require_whole
from phasemark.model.sites import Sites
from phasemark.model.trace import EventColumns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Events(Value):
    """The trace of one thread: taken loop branches, calls and returns, in order.

    Attributes:
        sites: what the symbols are; threads of one run share it.
        symbol: of each event, row of `sites`, int32.
        repeats: how many times it happened in succession, int64, at least 1.
        position: instructions of the thread up to and including the branch that is the (last) event, int64,
            ascending. An interval that ends with event i ends there.
        instructions: of the thread in all; those after the last event are its tail.
        run, thread: which thread, as in Intervals.
        pruned: rows of `sites` whose events were left out, or thinned, int64, ascending; empty: the trace is
            whole.
        every, silence: with what they were left out (`intervals.prune`), instructions; 0: nothing was.

    Raises:
        UsageError: `instructions`, a run or a thread is no whole number.
        DataError: a symbol that is no site, instructions below 0 or beyond 64 bits, an event that never
            happened, positions that do not ascend or lie beyond the thread's end, or columns of other
            lengths; names the row.
    """

    sites: Sites
    symbol: NDArray[np.int32]
    repeats: NDArray[np.int64]
    position: NDArray[np.int64]
    instructions: int
    run: int = 0
    thread: int = 0
    pruned: NDArray[np.int64] = None  # type: ignore[assignment]  # none
    every: int = 0
    silence: int = 0

    def __post_init__(self) -> None:
        numbers = {"instructions": self.instructions, "run": self.run, "thread": self.thread}
        require_given(**numbers)
        require_whole(**numbers)
        n = len(self.position)
        put(self, "symbol", column("symbol", self.symbol, np.int32, n))
        put(self, "repeats", column("repeats", self.repeats, np.int64, n))
        put(self, "position", column("position", self.position, np.int64))
        put(self, "pruned", column("pruned", () if self.pruned is None else self.pruned, np.int64))
        self._check()

    def _check(self) -> None:
        if not 0 <= self.instructions < 2**63:
            raise DataError(f"a thread of {self.instructions:,} instructions")
        if self.run < 0 or self.thread < 0:
            raise DataError("a run or thread number is negative")
        require(
            (self.symbol >= 0) & (self.symbol < len(self.sites)), "an event is of a site that is not there"
        )
        require(self.repeats >= 1, "an event happened less than once")
        require(self.since >= 1, "an event is not after the one before it")
        require(self.position <= self.instructions, "an event is beyond the thread's end")

    def __len__(self) -> int:
        return len(self.position)

    @property
    def since(self) -> NDArray[np.int64]:
        """Instructions since the event before, or the thread's beginning: what each took."""
        return np.diff(self.position, prepend=0)

    def chunks(self) -> Iterator[EventColumns]:
        """All of it at once, where a trace is read a stretch at a time."""
        if len(self):
            yield self.symbol, self.repeats, self.position

    def frame(self) -> pd.DataFrame:
        """A table with columns symbol, repeats, position."""
        import pandas as pd

        return pd.DataFrame({name: getattr(self, name) for name in ("symbol", "repeats", "position")})

    def __repr__(self) -> str:
        return _show.line(
            self, events=len(self), sites=len(self.sites), instructions=self.instructions, thread=self.thread
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
