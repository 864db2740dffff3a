"""How well predictors foretell phases, one interval after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.online.predictors import CLASSES, Predictor, Runs
from phasemark.online.registry import PREDICTORS
from phasemark.phases.fitting import require_sequences

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Accuracy:
    """How often a predictor was right, of all intervals but each thread's first.

    Attributes:
        predictor: its name.
        intervals: how many were foretold.
        changes: in how many of them the phase was another than in the one before.
        next_phase: share that was foretold rightly; NaN where there are none.
        at_changes: the same of the changes; NaN where there are none.
        alarms: share of the intervals without a change for which one was foretold; NaN where there are none.
        runs: runs of equal phases that ended within their thread and were not its first.
        run_length: share of them whose class of length was foretold rightly; NaN where there are none, or the
            predictor says nothing of lengths.
        classes: shortest runs of each class, in intervals.
        confusion: k x k int64: how often a phase (row) came when one (column) was foretold; what was not
            foretold at all is in no column.
    """

    predictor: str
    intervals: int
    changes: int
    next_phase: float
    at_changes: float
    alarms: float
    runs: int
    run_length: float
    classes: tuple[int, ...]
    confusion: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Accuracy: {self.predictor} {self.next_phase:.1%} of {self.intervals:,} intervals>"

    def frame(self) -> pd.DataFrame:
        """The confusion: a row for each phase that came, a column for each that was foretold."""
        import pandas as pd

        names = pd.RangeIndex(len(self.confusion))
        return pd.DataFrame(self.confusion, index=names.rename("phase"), columns=names.rename("foretold"))


def accuracy(
    labels: ArrayLike,
    predictors: Mapping[str, Callable[[], Predictor]] | None = None,
    *,
    sequences: ArrayLike | None = None,
    classes: tuple[int, ...] = CLASSES,
) -> tuple[Accuracy, ...]:
    """Let predictors foretell each interval's phase from those before it.

    One predictor sees all threads one after the other: it keeps what it has learnt, and is told where each
    begins.

    Args:
        labels: n phases, whole numbers from 0.
        predictors: name -> what makes one; None: PREDICTORS.
        sequences: numbers of rows that sum to n: each a thread; None: all are one.
        classes: shortest runs of each class of length, in intervals; those of the predictors.

    Raises:
        DataError: labels or sequences that are none.
    """
    phases = np.asarray(labels)
    if phases.ndim != 1 or (phases.size and (phases.dtype.kind not in "iu" or phases.min() < 0)):
        raise DataError("labels that are no whole numbers from 0")
    ends = np.cumsum(require_sequences(sequences, len(phases)))
    threads = [part.tolist() for part in np.split(phases, ends[:-1])]
    k = int(phases.max(initial=-1)) + 1
    wanted = PREDICTORS if predictors is None else predictors
    return tuple(_Trial(made(), k, classes).of(name, threads) for name, made in wanted.items())


class _Trial:
    """Counts of what one predictor gets right."""

    def __init__(self, predictor: Predictor, k: int, classes: tuple[int, ...]) -> None:
        self.predictor, self.classes = predictor, classes
        self.confusion = np.zeros((k, k), np.int64)
        self.intervals = self.changes = self.right = self.right_changes = self.alarms = 0
        self.runs = self.right_runs = self.told_runs = 0

    def of(self, name: str, threads: list[list[int]]) -> Accuracy:
        for thread in threads:
            self._follow(thread)
        stays = self.intervals - self.changes
        return Accuracy(
            name,
            self.intervals,
            self.changes,
            _share(self.right, self.intervals),
            _share(self.right_changes, self.changes),
            _share(self.alarms, stays),
            self.runs,
            _share(self.right_runs, self.runs) if self.told_runs else math.nan,
            self.classes,
            self.confusion,
        )

    def _follow(self, thread: list[int]) -> None:
        self.predictor.begin()
        runs, length, first = Runs(self.classes), None, True
        for phase in thread:
            if runs.phase is not None:
                self._score(runs.phase, phase, self.predictor.forecast())
            self.predictor.observe(phase)
            ended = runs.add(phase)
            if ended is not None:
                if not first:
                    self.runs += 1
                    self.told_runs += length is not None
                    self.right_runs += length == runs.class_of(ended[1])
                first = False
                length = self.predictor.length()

    def _score(self, before: int, came: int, foretold: int | None) -> None:
        self.intervals += 1
        changed, right = came != before, foretold == came
        self.right += right
        self.changes += changed
        self.right_changes += changed and right
        self.alarms += not changed and foretold is not None and foretold != before
        if foretold is not None and 0 <= foretold < len(self.confusion):
            self.confusion[came, foretold] += 1


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
