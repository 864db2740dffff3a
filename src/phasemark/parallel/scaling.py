"""Scaling: what each phase costs in runs of one program with more and more threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import OF_CORES, Intervals, Profile, Timeline, given
from phasemark.model.given import MetricsLike, PhasesLike
from phasemark.parallel.elapsed import Elapsed, elapsed
from phasemark.parallel.spent import cycles_of, ratio, summed, unit_of, unmeasured
from phasemark.parallel.timeline import timeline

if TYPE_CHECKING:
    import pandas as pd

#: A phase with a smaller share of the time is not named: it limits nothing that is worth a look.
WORTH_NAMING = 0.01


@dataclass(frozen=True, eq=False)
class Scaling:
    """r runs of a program in k phases ("Detecting phases in parallel applications", 6.2, figures 7 and 8).

    Attributes:
        runs: their numbers, r int32.
        threads: of each run, r int64.
        instructions: of each phase in each run, all threads together: r x k doubles.
        cycles: the same of cycles, where measured (NaN: not at all); None without metrics.
        elapsed: r x k doubles: the time of each phase while threads ran side by side, in `unit`; those of a
            run sum to its time.
        active: r x k doubles: how many threads ran while the phase did, on average; NaN where it did not.
        unit: of `elapsed`: `cycles`, or where they were not measured that of intervals' lengths:
            `instructions`, as if all took equally long, or of samples `nanoseconds`.
        unmeasured: share of each run's instructions whose cycles are not known: r doubles.
    """

    runs: NDArray[np.int32]
    threads: NDArray[np.int64]
    instructions: NDArray[np.float64]
    cycles: NDArray[np.float64] | None
    elapsed: NDArray[np.float64]
    active: NDArray[np.float64]
    unit: str
    unmeasured: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def base(self) -> int:
        """The row of the run with fewest threads, which others are compared with; of equals the first."""
        return int(np.argmin(self.threads))

    @property
    def widest(self) -> int:
        """The row of the run with most threads; of equals the last."""
        return len(self.threads) - 1 - int(np.argmax(self.threads[::-1]))

    @property
    def time(self) -> NDArray[np.float64]:
        """Of each whole run, in `unit`: r doubles."""
        return np.asarray(self.elapsed.sum(axis=1))

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each phase's share of its run's time: r x k doubles."""
        return np.nan_to_num(ratio(self.elapsed, self.time[:, None]))

    @property
    def speedup(self) -> NDArray[np.float64]:
        """How many times faster each phase is than in the base run: r x k; NaN where it is in one alone."""
        return ratio(self.elapsed[self.base] * (self.elapsed > 0), self.elapsed)

    @property
    def efficiency(self) -> NDArray[np.float64]:
        """Speed-up over how many times more threads there are: 1 is perfect scaling; r x k."""
        return np.asarray(self.speedup / self._more[:, None])

    @property
    def whole_speedup(self) -> NDArray[np.float64]:
        """The same of the whole program: r doubles."""
        return ratio(np.full(len(self.threads), self.time[self.base]), self.time)

    @property
    def whole_efficiency(self) -> NDArray[np.float64]:
        """The same of the whole program: r doubles."""
        return np.asarray(self.whole_speedup / self._more)

    @property
    def lost(self) -> NDArray[np.float64]:
        """Time of each phase beyond perfect scaling of what it took in the base run: r x k, in `unit`.

        Below 0 where a phase does better than that, as one that fits into more caches.
        """
        return np.asarray(self.elapsed - self.elapsed[self.base] / self._more[:, None])

    @property
    def _more(self) -> NDArray[np.float64]:
        return np.asarray(self.threads / self.threads[self.base])

    def limits(self, row: int | None = None) -> list[int]:
        """The phases that scale worse than the program, those with the largest share of the time first.

        A phase that is in no base run counts among them: all of its time was added. What takes less than 1%
        of the time is left out.

        Args:
            row: of the run; None: the one with most threads.
        """
        row = self.widest if row is None else row
        if row == self.base:
            return []
        worse = ~(self.efficiency[row] >= self.whole_efficiency[row]) & (self.shares[row] >= WORTH_NAMING)
        found = np.flatnonzero(worse)
        return [int(phase) for phase in found[np.argsort(-self.shares[row][found], kind="stable")]]

    def frame(self) -> pd.DataFrame:
        """One row a run and phase; phase -1 is the whole run.

        Columns: run, threads, phase, instructions, cycles (where measured), elapsed, share, speedup,
        efficiency, active.
        """
        import pandas as pd

        r, k = self.elapsed.shape
        whole = {
            "instructions": self.instructions.sum(axis=1),
            **({} if self.cycles is None else {"cycles": np.nansum(self.cycles, axis=1)}),
            "elapsed": self.time,
            "share": np.ones(r),
            "speedup": self.whole_speedup,
            "efficiency": self.whole_efficiency,
            "active": ratio(np.nansum(self.active * self.elapsed, axis=1), self.time),
        }
        each = {
            "instructions": self.instructions,
            **({} if self.cycles is None else {"cycles": self.cycles}),
            "elapsed": self.elapsed,
            "share": self.shares,
            "speedup": self.speedup,
            "efficiency": self.efficiency,
            "active": self.active,
        }
        columns = {
            "run": np.repeat(self.runs, k + 1),
            "threads": np.repeat(self.threads, k + 1),
            "phase": np.tile(np.arange(-1, k), r),
        }
        values = {name: np.column_stack((whole[name], table)).ravel() for name, table in each.items()}
        return pd.DataFrame({**columns, **values})

    def __repr__(self) -> str:
        threads = ", ".join(str(n) for n in self.threads.tolist())
        return f"<Scaling: {counted(self.elapsed.shape[1], 'phase')} in runs of {threads} threads>"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>\n{self.frame().to_html(max_rows=20, border=0)}".replace(
            "<Scaling", "&lt;Scaling"
        )


def scaling(
    profile: Profile,
    phases: PhasesLike,
    metrics: MetricsLike | None = None,
    threads: Sequence[int] | None = None,
) -> Scaling:
    """What each phase costs in each run of a profile, and how that scales with the number of threads.

    Instructions and cycles of a phase are sums over all threads. Its elapsed time is its part of the time in
    which threads ran (`parallel.elapsed`). The clock says who runs beside whom; how long that takes, each
    interval's own cycles say, or without metrics its instructions: they are spread evenly over when it ran,
    and a moment lasts as long as the mean of what its active threads did in it. So a run of one thread takes
    its cycles, and threads that share them out, and never wait, take as much less as there are more of them.

    Args:
        profile: of one run or several, in the same phases.
        phases: of its intervals.
        metrics: of its intervals, with `cycles`; None: time is counted in instructions.
        threads: how many threads each run is to count as, in the order of runs: as a program was told to
            use. None: all that executed an instruction, helpers included.

    Raises:
        DataError: phases or metrics of another profile, threads without a common clock, metrics without
            cycles, or `threads` that are not one number from 1 for each run.
    """
    phases = given.phases(phases)
    line = timeline(profile, phases)
    intervals = profile.interval_table
    runs = np.unique(intervals.run)
    k = phases.k
    cycles = None if metrics is None else cycles_of(given.metrics(metrics), intervals)
    work = intervals.length.astype(np.float64) if cycles is None else cycles
    spread = _of_rows(line, work, intervals)
    parts = [_part(line, spread, int(run)) for run in runs.tolist()]
    of_run = np.searchsorted(runs, intervals.run)
    cell = of_run * k + phases.labels
    return Scaling(
        runs,
        _threads(intervals, runs, threads),
        summed(cell, intervals.length.astype(np.float64), len(runs) * k).reshape(-1, k),
        None if cycles is None else summed(cell, cycles, len(runs) * k).reshape(-1, k),
        np.array([part.of_phases for part in parts]).reshape(-1, k),
        np.array([part.active for part in parts]).reshape(-1, k),
        unit_of(profile) if cycles is None else "cycles",
        unmeasured(of_run, intervals, cycles, len(runs)),
    )


def _part(line: Timeline, work: NDArray[np.float64], run: int) -> Elapsed:
    return elapsed(line.of_run(run), work[line.run == run])


def _of_rows(line: Timeline, work: NDArray[np.float64], intervals: Intervals) -> NDArray[np.float64]:
    """The work of intervals, for each row of the timeline; idle rows have none.

    Where a tick is an instruction, an interval that lasts longer than it has instructions waited for less
    than is shown: that takes as long as executing.
    """
    out, there = np.zeros(len(line)), ~line.idle
    if line.clock == OF_CORES:
        took = (line.end - line.start)[there]
        work = np.where(intervals.length > 0, work * took / np.maximum(intervals.length, 1), 0.0)
    out[there] = work
    return out


def _threads(intervals: Intervals, runs: NDArray[np.int32], told: Sequence[int] | None) -> NDArray[np.int64]:
    if told is not None:
        if len(told) != len(runs) or any(int(n) != n or n < 1 for n in told):
            raise DataError(
                f"{counted(len(told), 'number')} of threads for {counted(len(runs), 'run')}",
                hint="give one whole number from 1 for each run, in the order of the runs",
            )
        return np.array(told, np.int64)
    key = np.unique(np.stack((intervals.run, intervals.thread))[:, intervals.length > 0], axis=1)
    return np.array([int((key[0] == run).sum()) for run in runs.tolist()], np.int64)
