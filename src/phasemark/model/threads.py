"""Threads: which process each thread of a run belongs to."""

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

    from phasemark.model.intervals import Intervals


@dataclass(frozen=True, eq=False, repr=False)
class Threads(Value):
    """One row a thread, ordered by run and thread: where the threads of a profile come from.

    In a profile of several processes `thread` numbers those of all of them; this says which are whose.

    Attributes:
        run: which run, int32.
        thread: which thread of the run, int32.
        process: number of its process in the run, int32, from 1, in order of birth.
        program: name of the process's program, without folder; empty where not known.
        pid: the process's number on the machine it ran on, int64; -1 where not known.

    Raises:
        DataError: columns of other lengths, rows out of order, or a number that none of these can be.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    process: NDArray[np.int32]
    program: tuple[str, ...]
    pid: NDArray[np.int64]

    def __post_init__(self) -> None:
        n = len(self.run)
        for name in ("run", "thread", "process"):
            put(self, name, column(name, getattr(self, name), np.int32, n))
        put(self, "pid", column("pid", self.pid, np.int64, n))
        put(self, "program", tuple(self.program))
        if len(self.program) != n:
            raise DataError(f"{len(self.program)} names of programs for {n} threads")
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require(self.process >= 1, "a process number is below 1")
        require(self.pid >= -1, "a process's number on its machine is below -1")
        same = self.run[1:] == self.run[:-1]
        rises = np.where(same, self.thread[1:] > self.thread[:-1], self.run[1:] > self.run[:-1])
        require(np.concatenate(([True], rises))[:n], "threads are not in order, each once")

    def __len__(self) -> int:
        return len(self.run)

    def require_all(self, intervals: Intervals) -> None:
        """See that the thread of every interval is there.

        Raises:
            DataError: one is not; names the first interval of it.
        """
        known = set(zip(self.run.tolist(), self.thread.tolist(), strict=True))
        for row in np.flatnonzero(intervals.first_of_thread()).tolist():
            key = (int(intervals.run[row]), int(intervals.thread[row]))
            if key not in known:
                raise DataError(f"nothing says which process thread {key[1]} of run {key[0]} is of", row=row)

    def name(self, row: int) -> str:
        """How a person refers to it: `thread 3`, or of several processes `process 2 (gzip), thread 3`."""
        thread = f"thread {int(self.thread[row])}"
        of_run = self.run == self.run[row]
        if not (self.process[of_run] != self.process[row]).any():
            return thread
        program = f" ({self.program[row]})" if self.program[row] else ""
        return f"process {int(self.process[row])}{program}, {thread}"

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, process, program, pid."""
        import pandas as pd

        return pd.DataFrame(
            {name: getattr(self, name) for name in ("run", "thread", "process", "program", "pid")}
        )

    def __repr__(self) -> str:
        processes = len(set(zip(self.run.tolist(), self.process.tolist(), strict=True)))
        return _show.line(self, threads=len(self), processes=processes)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
