"""Two runs of a program, phase by phase: what takes longer, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted
from phasemark.model import Profile, given
from phasemark.model.given import MetricsLike, PhasesLike
from phasemark.parallel.spent import cycles_of, ratio, summed, unit_of, unmeasured

if TYPE_CHECKING:
    import pandas as pd

#: A phase whose time differs by less than this share of the run's is alike in both.
ALIKE = 0.01


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs, before and after, in the same k phases.

    Attributes:
        runs: their numbers in the profile, 2 int32.
        intervals: of each phase in each run, 2 x k int64.
        instructions: the same of instructions (or what the profile counts), 2 x k doubles.
        cycles: the same of cycles, where measured (NaN: of a phase not at all); None without metrics. Cycles
            of threads are added up.
        unit: of `time`: `cycles`, or where they were not measured that of intervals' lengths.
        unmeasured: share of each run's instructions whose cycles are not known, 2 doubles.
    """

    runs: NDArray[np.int32]
    intervals: NDArray[np.int64]
    instructions: NDArray[np.float64]
    cycles: NDArray[np.float64] | None
    unit: str
    unmeasured: NDArray[np.float64]

    @property
    def k(self) -> int:
        """How many phases there are."""
        return int(self.intervals.shape[1])

    @property
    def time(self) -> NDArray[np.float64]:
        """Of each phase in each run, in `unit`: 2 x k doubles; 0 where a run has not the phase."""
        return self.instructions if self.cycles is None else self.cycles

    @property
    def whole(self) -> NDArray[np.float64]:
        """Time of each run, in `unit`: 2 doubles."""
        return np.asarray(np.nansum(self.time, axis=1))

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each phase's share of its run's time: 2 x k doubles."""
        return np.nan_to_num(ratio(self.time, self.whole[:, None]))

    @property
    def cpi(self) -> NDArray[np.float64]:
        """Time an instruction of each phase in each run: 2 x k; NaN where a run has not the phase."""
        return ratio(self.time, self.instructions)

    @property
    def whole_cpi(self) -> NDArray[np.float64]:
        """The same of whole runs: 2 doubles; NaN of a run without instructions."""
        return ratio(self.whole, self.instructions.sum(axis=1))

    @property
    def change(self) -> NDArray[np.float64]:
        """Time of each phase after, less that before: k doubles; they sum to the change of the whole."""
        return np.asarray(self.time[1] - self.time[0])

    @property
    def by_work(self) -> NDArray[np.float64]:
        """What of `change` comes from other numbers of instructions: k doubles.

        The change in instructions at the mean of both CPIs; of a phase that one run alone has, all of it.
        With `by_speed` this splits the change without a rest, and alike whichever run is first (Bennet's
        indicators).
        """
        cpi = np.where(np.isnan(self.cpi), self.cpi[::-1], self.cpi)
        more = self.instructions[1] - self.instructions[0]
        return np.asarray(np.where(more == 0, 0.0, more * cpi.mean(axis=0)))

    @property
    def by_speed(self) -> NDArray[np.float64]:
        """What of `change` comes from other times an instruction: k doubles; the rest of it."""
        return np.asarray(self.change - self.by_work)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of each phase: `new`, `gone`, `grew`, `shrank`, or `alike`.

        New and gone are those that one run alone has; the others grew or shrank if their time differs by at
        least 1% of the longer run's. `unknown`: its cycles were not measured in one of them.
        """
        return tuple(self._kind(phase) for phase in range(self.k))

    def is_worth_showing(self, phase: int) -> bool:
        """Whether a phase takes 1% of either run."""
        return bool(self.shares[:, phase].max() >= ALIKE)

    def order(self) -> list[int]:
        """The phases, those whose time changed most first."""
        return [int(p) for p in np.argsort(-np.abs(np.nan_to_num(self.change)), kind="stable")]

    def _kind(self, phase: int) -> str:
        before, after = self.instructions[:, phase]
        if not before or not after:
            return "new" if after else "gone" if before else "alike"
        change = float(self.change[phase])
        if np.isnan(change):
            return "unknown"
        if abs(change) < ALIKE * float(self.whole.max()):
            return "alike"
        return "grew" if change > 0 else "shrank"

    def frame(self) -> pd.DataFrame:
        """One row a phase; phase -1 is the whole.

        Columns: phase, kind, and of both runs (`_before`, `_after`) intervals, instructions, cycles (where
        measured), share, and (where cycles were measured) cpi; then change, by_work, by_speed.
        """
        import pandas as pd

        columns: dict[str, object] = {"phase": np.arange(-1, self.k), "kind": ("", *self.kinds)}
        tables = {"intervals": self.intervals, "instructions": self.instructions}
        whole = {"intervals": self.intervals.sum(axis=1), "instructions": self.instructions.sum(axis=1)}
        if self.cycles is not None:
            tables["cycles"], whole["cycles"] = self.cycles, self.whole
        tables["share"], whole["share"] = self.shares, np.ones(2)
        if self.cycles is not None:
            tables["cpi"], whole["cpi"] = self.cpi, self.whole_cpi
        for name, table in tables.items():
            for row, which in enumerate(("before", "after")):
                columns[f"{name}_{which}"] = np.append(whole[name][row], table[row])
        for name in ("change", "by_work", "by_speed"):
            values = getattr(self, name)
            columns[name] = np.append(np.nansum(values), values)
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return f"<Comparison: runs {self.runs[0]} and {self.runs[1]} in {counted(self.k, 'phase')}>"

    def _repr_html_(self) -> str:
        table = self.frame().to_html(max_rows=20, border=0)
        return f"<p>{self!r}</p>\n{table}".replace("<Comparison", "&lt;Comparison")


def compare(profile: Profile, phases: PhasesLike, metrics: MetricsLike | None = None) -> Comparison:
    """What each phase takes in the two runs of a profile, the first before, the second after.

    Args:
        profile: of two runs, see `parallel.join`.
        phases: of its intervals.
        metrics: of its intervals, with `cycles`; None: instructions are compared.

    Raises:
        DataError: the profile is not of two runs, phases or metrics are of another one, or metrics have no
            cycles.
    """
    phases = given.phases(phases)
    intervals = profile.interval_table
    runs = np.unique(intervals.run)
    if len(runs) != 2:
        raise DataError(
            f"{counted(len(runs), 'run')}, where two are compared",
            hint="compare two folders: phasemark compare BEFORE AFTER",
        )
    if len(phases.labels) != len(intervals):
        raise DataError(
            f"phases of {counted(len(phases.labels), 'interval')}, but the profile has {len(intervals):,}",
            hint="run `phasemark phases` again",
        )
    k = phases.k
    of_run = np.searchsorted(runs, intervals.run)
    cell = of_run * k + phases.labels
    cycles = None if metrics is None else cycles_of(given.metrics(metrics), intervals)
    return Comparison(
        runs,
        np.bincount(cell, intervals.length > 0, 2 * k).reshape(2, k).astype(np.int64),
        summed(cell, intervals.length.astype(np.float64), 2 * k).reshape(2, k),
        None if cycles is None else summed(cell, cycles, 2 * k).reshape(2, k),
        unit_of(profile) if cycles is None else "cycles",
        unmeasured(of_run, intervals, cycles, 2),
    )
