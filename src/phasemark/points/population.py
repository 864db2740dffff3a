"""What points are chosen from: the intervals of a run and their phases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.model import Counts, Intervals, Phases, Points, Profile, given
from phasemark.model.given import IntervalsLike, PhasesLike, WeightsLike
from phasemark.points.spread import spread_of

if TYPE_CHECKING:
    import pandas as pd


#: How many instructions each interval spent in each block: n rows, or what gives them when they are needed.
VectorsLike: TypeAlias = "Counts | ArrayLike | Callable[[], Counts]"


@dataclass(frozen=True, eq=False)
class Population:
    """Intervals, their phases and weights, row by row.

    Attributes:
        intervals: n of them.
        phases: their classification.
        weights: n doubles from 0.
        possible: whether a row can be a point: it has instructions and weight, and is no tail where those
            are not wanted.
        counted: whether a row has instructions and weight, and so is one of those that a point stands for.
        vectors: gives how many instructions each interval spent in each block, n rows; None: nobody knows.
        theta: states x blocks, the shares in which the phases' model says that its states execute them, those
            of the phases first; None: it says nothing of the kind, or is not at hand.
        begin: where in its random order each phase's random points begin, k int64 (points.balance); None: at
            the first.
    """

    intervals: Intervals
    phases: Phases
    weights: NDArray[np.float64]
    possible: NDArray[np.bool_]
    counted: NDArray[np.bool_]
    vectors: Callable[[], Any] | None = None
    theta: NDArray[np.float64] | None = None
    begin: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls,
        intervals: IntervalsLike,
        phases: PhasesLike,
        weights: WeightsLike | None = None,
        *,
        tail_points: bool = True,
        vectors: VectorsLike | None = None,
    ) -> Population:
        """The population of a run.

        Args:
            intervals: the n intervals that were classified: a Profile, Intervals, their frame, or the
                lengths of one thread's.
            phases: their classification, row by row, or the fitted model that made it.
            weights: n weights from 0; None: instructions.
            tail_points: False: intervals that were cut short are no points, but points stand for them.
            vectors: counts of the n intervals; None: those of the profile, where one is given.

        Raises:
            UsageError: something that is none of these.
            DataError: phases of other intervals, weights of others, negative or infinite, or no interval
                that can be a point.
        """
        vectors, theta = given_vectors(vectors, intervals), getattr(phases, "emissionprob_", None)
        intervals, phases = given.intervals(intervals), given.phases(phases)
        if len(phases) != len(intervals):
            raise DataError(
                f"phases of {len(phases):,} intervals, but {len(intervals):,} intervals",
                hint="find the phases of this profile again",
            )
        weighed = given.weights(intervals if weights is None else weights)
        if len(weighed) != len(intervals):
            raise DataError(
                f"{len(weighed):,} weights for {len(intervals):,} intervals",
                hint="give one for each interval",
            )
        bad = ~(np.isfinite(weighed) & (weighed >= 0))
        if bad.any():
            raise DataError("a weight is negative or not a number", row=int(np.argmax(bad)))
        counted = (intervals.length > 0) & (weighed > 0)
        if not counted.any():
            raise DataError("no interval can be a point: none has both instructions and weight")
        possible = counted if tail_points else counted & ~intervals.is_tail
        if not possible.any():
            raise DataError("no interval can be a point: all are tails", hint="allow tails as points")
        return cls(intervals, phases, weighed, possible, counted, vectors, theta)

    def __repr__(self) -> str:
        return (
            f"<Population: {len(self.intervals):,} intervals in {self.phases.k:,} phases, of which "
            f"{np.count_nonzero(self.possible):,} can be points>"
        )

    def frame(self) -> pd.DataFrame:
        """A table with the columns of the intervals, then phase, weight and possible."""
        table = self.intervals.frame()
        return table.assign(phase=self.phases.labels, weight=self.weights, possible=self.possible)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Intervals of each phase that can be points: k int64."""
        return np.bincount(self.phases.labels[self.possible], minlength=self.phases.k).astype(np.int64)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of the weight of each phase: k doubles that sum to 1."""
        return np.asarray(self.phases.shares(self.weights) / self.weights.sum(), np.float64)

    def rows_of(self, phase: int) -> NDArray[np.int64]:
        """The rows of a phase that can be points."""
        return np.flatnonzero(self.possible & (self.phases.labels == phase))

    def all_rows(self) -> NDArray[np.int64]:
        """The rows of all phases that can be points."""
        return np.flatnonzero(self.possible)

    def points(
        self,
        rows: NDArray[np.int64],
        *,
        method: str,
        whole_run: bool,
        coverage: float = 1.0,
        warmup: int = 0,
        phase: NDArray[np.int64] | None = None,
    ) -> Points:
        """The points at some rows.

        A point weighs its stratum's share, in the proportion of the weights of the stratum's points:
        strata are the phases, or the whole run.

        Args:
            rows: of the intervals, in any order.
            method: that chose them.
            whole_run: they were chosen from the whole run, not phase by phase.
            coverage: share of the phases that points were taken of.
            warmup: instructions to warm up before each point; clipped at the start of the thread.
            phase: that each row stands for; None: that it lies in.
        """
        phase = self.phases.labels[rows].astype(np.int64) if phase is None else phase
        order = np.lexsort((phase, rows))
        rows, phase = rows[order], phase[order]
        stratum = np.zeros(len(rows), np.int64) if whole_run else phase
        shares = np.ones(1) if whole_run else self.shares
        taken = np.bincount(stratum, weights=self.weights[rows], minlength=len(shares))
        weight = shares[stratum] * (self.weights[rows] / taken[stratum])
        # Tails are among those that a point stands for, even where they cannot be points.
        of_phase = np.bincount(self.phases.labels[self.counted], minlength=self.phases.k)
        elsewhere = np.bincount(phase[self.phases.labels[rows] != phase], minlength=self.phases.k)
        sizes = np.array([self.counted.sum()]) if whole_run else of_phase + elsewhere
        start = self.intervals.start[rows]
        return Points(
            run=self.intervals.run[rows],
            thread=self.intervals.thread[rows],
            interval=self.intervals.index[rows],
            phase=phase.astype(np.int32),
            start=start,
            end=start + self.intervals.length[rows],
            warmup=np.minimum(start, min(warmup, int(start.max()))),
            weight=weight / weight.sum(),
            coverage=min(coverage, 1.0),
            method=method,
            population=sizes[stratum],
            spread=spread_of(self.phases, self.intervals.length.astype(np.float64))[phase],
        )


def given_vectors(vectors: VectorsLike | None, intervals: IntervalsLike) -> Callable[[], Any] | None:
    """What gives the counts of intervals: what was given, else the profile that the intervals are of."""
    if vectors is None and isinstance(intervals, Profile):
        return lambda: intervals.vectors
    return vectors if vectors is None or callable(vectors) else lambda: vectors
