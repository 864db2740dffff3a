"""Points: the intervals to simulate, in ONE table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, counted, shown
from phasemark.model import _show, shares
from phasemark.model._check import Value, column, put, require, require_weights

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.model.intervals import Intervals

_DTYPES = {
    "run": np.int32,
    "thread": np.int32,
    "interval": np.int64,
    "phase": np.int32,
    "start": np.int64,
    "end": np.int64,
    "warmup": np.int64,
    "weight": np.float64,
    "population": np.int64,
    "spread": np.float64,
}

#: Columns that points have or have not, all together.
OPTIONAL = ("strata", "guard", "check")

#: What else is told of points that were drawn from strata, or are typical of phases.
OF_SAMPLE = ("signature", "balanced")

#: Draws of a check of the warm-up, at most; more would make no sense.
MOST_DRAWS = 2**20

#: Methods that choose from the whole run, whatever the phases.
WHOLE_RUN = ("random", "systematic", "start", "skip")

#: Methods that take the most typical intervals of each phase, which are no random sample of it.
TYPICAL = (
    *("nearest", "max-likelihood-1", "max-likelihood-2", "cluster-center", "max-posterior"),
    *("obs-model-dist-1", "obs-model-dist-2", "obs-model-dist-3", "obs-model-dist-4"),
)

#: Those of TYPICAL that look among all intervals: a point may lie in another phase than it stands for, and
#: one interval may be the point of several.
FROM_ALL = ("max-likelihood-2", "max-posterior")

#: The method of points that another tool chose, and did not say how.
GIVEN = "given"


@dataclass(frozen=True, eq=False, repr=False)
class Points(Value):
    """Simulation points, ordered by run, thread and start.

    Attributes:
        run, thread, interval: the interval, by its key in the profile: one cut of the run.
        phase: the phase that the point stands for, int32.
        start, end: instructions of the thread, half-open [start, end).
        warmup: instructions to warm up before start; start - warmup is never below 0.
        weight: share of the covered instructions that the point stands for; they sum to 1.
        coverage: share of all instructions that the chosen phases make up; exactly 1 where it is the
            whole but for rounding.
        method: how they were chosen (see points.METHODS; GIVEN: elsewhere); it decides which error bar is
            honest.
        population: how many intervals the point was chosen from: those of its phase (and the phase's points
            that lie elsewhere, see FROM_ALL), or of the whole run for a method of WHOLE_RUN; 0 where that is
            not known.
        spread: how far the phase's intervals lie from its centre, as a share of all intervals' distance
            from the run's centre (points.spread): what to expect of a phase that was measured
            little; NaN where not known.
        strata: what each point was chosen from, int32, where that is neither its phase nor the whole run:
            population, spread and the points' weights are then those of the strata; None: it is.
        guard: of a guard (points.add_guards) the share of the run that it tells the difference of, from 0; it
            weighs nothing. 0 of a point. Strata and population are those that guards were drawn from, where
            points have the number of their phase. None: there are no guards.
        check: how many draws of the check of the warm-up fell on the point, int64: it is to be simulated
            again with a longer one (points.with_checks); 0: none. None: the warm-up is not checked.
        signature: what the strata, or of typical points the phases, were found in, `blocks` or more
            (signatures.kind_of), by which error bars go (estimates.calibration). None: nobody knows.
        balanced: how many of the points are a sample that is balanced in that signature (points.balanced):
            all, but for those that were added later.

    Raises:
        DataError: weights that do not sum to 1, an empty point, a warm-up before instruction 0, a negative
            number or spread, more balanced points than there are, or guards that weigh something, have no
            strata or are more than the run.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    interval: NDArray[np.int64]
    phase: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    warmup: NDArray[np.int64]
    weight: NDArray[np.float64]
    coverage: float = 1.0
    method: str = "nearest"
    population: NDArray[np.int64] = None  # type: ignore[assignment]  # 0 for each point
    spread: NDArray[np.float64] = None  # type: ignore[assignment]  # NaN for each point
    strata: NDArray[np.int32] | None = None
    guard: NDArray[np.float64] | None = None
    check: NDArray[np.int64] | None = None
    signature: str | None = None
    balanced: int = 0

    def __post_init__(self) -> None:
        n = len(self.start)
        if self.population is None:
            put(self, "population", np.zeros(n, np.int64))  # type: ignore[unreachable]
        if self.spread is None:
            put(self, "spread", np.full(n, np.nan))  # type: ignore[unreachable]
        for name, dtype in _DTYPES.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        if self.strata is not None:
            put(self, "strata", column("strata", self.strata, np.int32, n))
            require(self.strata >= 0, "a stratum is negative")
        if self.guard is not None:
            self._check_guards(self.guard)
        if self.check is not None:
            put(self, "check", column("check", self.check, np.int64, n))
            require(self.check >= 0, "a point is drawn less than never to be checked")
            require(
                self.check <= MOST_DRAWS, f"a point is drawn more than {MOST_DRAWS:,} times to be checked"
            )
        numbered = (self.run >= 0) & (self.thread >= 0) & (self.interval >= 0) & (self.phase >= 0)
        require(numbered, "a run, thread, interval or phase is negative")
        require(self.end > self.start, "a point has no instruction")
        require((self.start >= 0) & (self.warmup >= 0), "a point starts or warms up before instruction 0")
        require(
            self.start >= self.warmup, "a warm-up reaches back before instruction 0", "shorten the warm-up"
        )
        require_weights(self.weight, "points")
        require(self.population >= 0, "a point was chosen from less than no interval")
        require(~(self.spread < 0), "a spread is negative")
        self._check_sample(n - int(np.count_nonzero(self.is_guard)))
        if not 0.0 <= self.coverage <= 1.0 + 1e-9:
            raise DataError(f"coverage {self.coverage} is not between 0 and 1")
        put(self, "coverage", shares.whole(self.coverage))

    def _check_sample(self, n: int) -> None:
        """What is said of the sample makes sense, of n points."""
        signature: object = self.signature
        if not (signature is None or isinstance(signature, str)):
            raise DataError(f"the signature is {shown(str(signature))}, not its name")
        put(self, "balanced", _whole(self.balanced))
        if not 0 <= self.balanced <= n:
            raise DataError(
                f"{self.balanced:,} of {counted(n, 'point')} are balanced",
                hint="of some of the points of a balanced sample none are: make it 0",
            )

    def _check_guards(self, guard: NDArray[np.float64]) -> None:
        put(self, "guard", column("guard", guard, np.float64, len(self.start)))
        assert self.guard is not None
        require(np.isfinite(self.guard) & (self.guard >= 0), "a guard tells of a negative share, or of none")
        if self.strata is None:
            raise DataError("there are guards, and no strata that they were drawn from")
        require((self.guard == 0) | (np.asarray(self.weight) == 0), "a guard weighs something")
        if self.guard.sum() > 1 + 1e-6:
            raise DataError(f"the guards tell of {self.guard.sum():.9g} of the run, more than all of it")

    @classmethod
    def none(cls) -> Points:
        """No points: they stand for nothing."""
        columns: dict[str, Any] = {name: np.zeros(0, dtype) for name, dtype in _DTYPES.items()}
        return cls(**columns, coverage=0.0)

    def __len__(self) -> int:
        return len(self.start)

    @property
    def instructions(self) -> int:
        """Instructions of all points, warm-up apart."""
        return int(np.sum(self.end - self.start))

    @property
    def stratum(self) -> NDArray[np.int32]:
        """What each point was chosen from: a stratum, its phase, or 0 for the whole run; int32.

        A given point of a cluster of which nothing is known was chosen from no other one's.
        """
        if self.strata is not None:
            return self.strata
        if self.method == GIVEN and not self.population.all():
            return np.arange(len(self), dtype=np.int32)
        return np.zeros(len(self), np.int32) if self.method in WHOLE_RUN else self.phase

    @property
    def is_guard(self) -> NDArray[np.bool_]:
        """Which rows are guards: they tell how far the points are off, and stand for nothing themselves."""
        return np.zeros(len(self), np.bool_) if self.guard is None else self.guard > 0

    def without_guards(self) -> Points:
        """The points alone, which stand for their phases; themselves where there are no guards."""
        if self.guard is None:
            return self
        kept = [*_DTYPES, *(["check"] if self.check is not None else [])]
        rest = {name: getattr(self, name)[~self.is_guard] for name in kept}
        return replace(self, **rest, strata=None, guard=None)

    def tails(self, intervals: Intervals) -> NDArray[np.int64]:
        """The rows that are tails among the run's intervals: shorter than the others."""
        at = intervals.is_tail
        columns = (intervals.run[at].tolist(), intervals.thread[at].tolist(), intervals.index[at].tolist())
        tails = set(zip(*columns, strict=True))
        keys = zip(self.run.tolist(), self.thread.tolist(), self.interval.tolist(), strict=True)
        return np.array([row for row, key in enumerate(keys) if key in tails], np.int64)

    def tails_in_words(self, intervals: Intervals) -> str:
        """Which points are tails, at most three of them, by interval and length; empty where none is."""
        rows = self.tails(intervals).tolist()
        several_runs = np.unique(intervals.run).size > 1
        several_threads = several_runs or np.unique(intervals.thread).size > 1
        words = []
        for row in rows[:3]:
            of = f" of run {self.run[row]}," if several_runs else " of" if several_threads else ""
            of += f" thread {self.thread[row]}" if several_threads else ""
            words.append(
                f"interval {self.interval[row]:,}{of} ({self.end[row] - self.start[row]:,} instructions)"
            )
        return ", ".join(words) + (" ..." if len(rows) > 3 else "")

    def frame(self) -> pd.DataFrame:
        """A table with a column for each array, in the order above; its `attrs` tell the rest."""
        import pandas as pd

        names = [*_DTYPES, *(name for name in OPTIONAL if getattr(self, name) is not None)]
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        frame.attrs = {"method": self.method, "coverage": self.coverage}
        if self.signature is not None:
            frame.attrs |= {"signature": self.signature, "balanced": self.balanced}
        return frame

    def __repr__(self) -> str:
        return _show.line(
            self,
            points=len(self),
            method=self.method,
            instructions=self.instructions,
            coverage=float(self.coverage),
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def _whole(balanced: object) -> int:
    if isinstance(balanced, bool) or not isinstance(balanced, int | np.integer):
        raise DataError(f"the number of balanced points is {shown(str(balanced))}, no whole number")
    return int(balanced)
