"""Samples: where a program was, now and then, as a profiler of the system saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class SampledProcess:
    """One program in one process, from start, fork or exec to its end.

    Attributes:
        pid, parent: the system's ids of the process and of the one that started it; 0 where not known.
        origin: `start`, `fork` or `exec`.
        name: of the program, as the system knows it: at most 15 characters.
        ended: whether its end was seen, or that it went on as another program.
    """

    pid: int
    parent: int
    origin: str
    name: str
    ended: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Samples(Value):
    """Samples of a run, ordered by thread and time.

    Attributes:
        modules: names of the modules, as in Blocks.
        module: index into `modules`, int32, one a place; a place is code that some sample was at.
        offset: of each place in its module's file, uint64.
        located: whether the place is known by its offset, bool; where no mapping told, `offset` is the
            address that the run had it at.
        function: of each place, as the source names it; empty where it does not.
        events: names of what was sampled.
        processes: those that were sampled, in the order in which they began.
        process: index into `processes`, int32, one a thread; threads are in order of birth.
        tid: the system's number of each thread, int64.
        thread, place, event: of each sample, int32, int32 and int16.
        time: nanoseconds of the clock that all threads share, int64; all 0 where there is none.
        period: what each sample stands for, in units of its event, int64; all 1 where that is not known.
        timed, weighted: whether times and periods are known.
        build_ids: module -> build-id in hexadecimal, as far as the source says.
        source: what recorded them, and its version.
        notes: what the user should know, one sentence each.
        complete: whether the source was read to its end.

    Raises:
        DataError: columns of other lengths, rows out of order, numbers of what is not there, or a period
            below 1.
    """

    modules: tuple[str, ...]
    module: NDArray[np.int32]
    offset: NDArray[np.uint64]
    located: NDArray[np.bool_]
    function: tuple[str, ...]
    events: tuple[str, ...]
    processes: tuple[SampledProcess, ...]
    process: NDArray[np.int32]
    tid: NDArray[np.int64]
    thread: NDArray[np.int32]
    place: NDArray[np.int32]
    event: NDArray[np.int16]
    time: NDArray[np.int64]
    period: NDArray[np.int64]
    timed: bool = True
    weighted: bool = True
    build_ids: Mapping[str, str] = field(default_factory=dict)
    source: tuple[str, str] = ("perf", "")
    notes: tuple[str, ...] = ()
    complete: bool = True

    def __post_init__(self) -> None:
        places, threads, n = len(self.offset), len(self.tid), len(self.time)
        columns = {
            "module": (np.int32, places), "offset": (np.uint64, places), "located": (np.bool_, places),
            "process": (np.int32, threads), "tid": (np.int64, threads), "thread": (np.int32, n),
            "place": (np.int32, n), "event": (np.int16, n), "time": (np.int64, n), "period": (np.int64, n),
        }  # fmt: skip
        for name, (dtype, length) in columns.items():
            put(self, name, column(name, getattr(self, name), dtype, length))
        if len(self.function) != places:
            raise DataError(f"{len(self.function)} names of functions for {places} places")
        limits = {
            "module": len(self.modules), "process": len(self.processes), "thread": threads, "place": places,
            "event": len(self.events),
        }  # fmt: skip
        for name, most in limits.items():
            values = getattr(self, name)
            require((values >= 0) & (values < most), f"a {name} is none of those that there are")
        require(self.period >= 1, "a sample stands for nothing")
        same = self.thread[1:] == self.thread[:-1]
        later = (self.thread[1:] > self.thread[:-1]) | (same & (self.time[1:] >= self.time[:-1]))
        require(np.concatenate(([True], later))[:n], "the samples are not ordered by thread and time")

    def __len__(self) -> int:
        return len(self.time)

    def of_event(self, number: int) -> Samples:
        """Those of one event; processes, threads and places stay as they are."""
        return self._rows(self.event == number)

    def of_processes(self, numbers: NDArray[np.int64]) -> Samples:
        """Those of some processes, whose threads are numbered anew."""
        kept = np.isin(self.process, numbers)
        new = np.cumsum(kept) - 1
        rows = kept[self.thread]
        chosen = self._rows(rows)
        fields = {**chosen.__dict__, "process": self.process[kept], "tid": self.tid[kept]}
        return Samples(**{**fields, "thread": new[chosen.thread]})

    def _rows(self, mask: NDArray[np.bool_]) -> Samples:
        names = ("thread", "place", "event", "time", "period")
        return Samples(**{**self.__dict__, **{name: getattr(self, name)[mask] for name in names}})

    def frame(self) -> pd.DataFrame:
        """A table, one row a sample: thread, time, event, period, module, offset."""
        import pandas as pd

        return pd.DataFrame(
            {
                "thread": self.thread,
                "time": self.time,
                "event": pd.Categorical.from_codes(self.event, categories=list(self.events)),
                "period": self.period,
                "module": np.array(self.modules, object)[self.module[self.place]],
                "offset": self.offset[self.place],
            }
        )

    def __repr__(self) -> str:
        return _show.line(
            self, samples=len(self), threads=len(self.tid), events=", ".join(self.events), of=self.source[0]
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())
