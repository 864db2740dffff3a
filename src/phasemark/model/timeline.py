"""Timeline: when the threads of a run were in which phase, side by side on one clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd

#: The clock of threads that phasemark's collector records: a tick is an instruction of any of them.
OF_CORES = "instructions, each thread on a core of its own"

_COLUMNS = {
    "run": np.int32,
    "thread": np.int32,
    "interval": np.int64,
    "phase": np.int32,
    "start": np.int64,
    "end": np.int64,
}


@dataclass(frozen=True, eq=False, repr=False)
class Timeline(Value):
    """Stretches [start, end) of each thread, in ticks of the run's clock, that tile the run.

    Rows are ordered by run, thread and start. All threads of a run begin and end together: one that starts
    late or ends early is idle before and after.

    Attributes:
        run, thread: of which thread, int32.
        interval: number of the interval in its thread, int64; of several in a row the first. Idle: -1.
        phase: int32; -1: the thread is idle.
        start, end: int64 ticks.
        clock: what a tick is: `instructions` of the one thread, OF_CORES ...
        phases: how many phases there are.

    Raises:
        DataError: rows out of order, a gap or an overlap in a thread, threads of a run that do not begin and
            end together, or a phase that is not there; names the row.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    interval: NDArray[np.int64]
    phase: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    clock: str = ""
    phases: int = 0

    def __post_init__(self) -> None:
        n = len(self.start)
        for name, dtype in _COLUMNS.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        put(self, "phases", int(self.phases or self.phase.max(initial=-1) + 1))
        if n:
            self._check()

    def _check(self) -> None:
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require((self.phase >= -1) & (self.phase < self.phases), "a stretch's phase is not among the phases")
        require(self.end >= self.start, "a stretch ends before it starts")
        first = self.first_of_thread()
        order = np.lexsort((self.start, self.thread, self.run))
        require((order == np.arange(len(order))) | first, "the rows are not ordered by run, thread and start")
        tiled = np.concatenate(([True], self.start[1:] == self.end[:-1]))
        require(first | tiled, "a stretch does not start where the one ahead of it ends")
        last = np.append(first[1:], True)
        new_run = np.concatenate(([True], np.diff(self.run) != 0))
        of_run = np.cumsum(new_run) - 1
        begin = self.start[new_run][of_run]
        end = self.end[np.append(new_run[1:], True)][of_run]
        together = (~first | (self.start == begin)) & (~last | (self.end == end))
        require(together, "the threads of a run do not begin and end together")

    def __len__(self) -> int:
        return len(self.start)

    @property
    def idle(self) -> NDArray[np.bool_]:
        """Whether the thread did not run."""
        return np.asarray(self.phase < 0)

    def first_of_thread(self) -> NDArray[np.bool_]:
        """True where a row is the first of its (run, thread)."""
        return np.concatenate(([True], (np.diff(self.run) != 0) | (np.diff(self.thread) != 0)))[: len(self)]

    def groups(self) -> NDArray[np.int64]:
        """Of each row, the row of `stretches()` that it is part of."""
        fresh = self.first_of_thread()
        fresh[1:] |= np.diff(self.phase) != 0
        return np.asarray(np.cumsum(fresh) - 1)

    def stretches(self) -> Timeline:
        """The same with neighbours of one phase in one row."""
        at = np.flatnonzero(np.diff(self.groups(), prepend=-1))
        last = np.append(at[1:], len(self)) - 1
        kept = {name: getattr(self, name)[at] for name in _COLUMNS if name != "end"}
        return replace(self, **kept, end=self.end[last] if len(self) else self.end)

    def of_run(self, run: int) -> Timeline:
        """The threads of one run.

        Raises:
            DataError: there is no such run.
        """
        own = self.run == run
        if not own.any():
            raise DataError(f"there is no run {run:,} in the timeline")
        return replace(self, **{name: getattr(self, name)[own] for name in _COLUMNS})

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, interval, phase, start, end, idle."""
        import pandas as pd

        return pd.DataFrame({**{name: getattr(self, name) for name in _COLUMNS}, "idle": self.idle})

    def __repr__(self) -> str:
        return _show.line(
            self,
            runs=len(np.unique(self.run)),
            threads=int(self.first_of_thread().sum()),
            phases=self.phases,
            stretches=len(self),
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
