"""Points as files of another tool state them, before they are placed on the intervals of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model.points import GIVEN
from phasemark.reading import Limit

__all__ = ["Chosen", "ChosenPoint", "Labels", "are_separate", "require_total", "totals"]

#: About a million points; no run needs so many.
POINTS = Limit("a file of points", 2**24, 2**24)

#: Weights are written with five or six digits; so many of them may miss 1 by this much.
TOLERANCE = 1e-3


@dataclass(frozen=True)
class ChosenPoint:
    """A point as a file states it; None where it does not say.

    Attributes:
        weight: as written; what weights sum to is looked at later.
        path, line, row: where it stands, for errors.
        interval: number of the interval in its thread, from 0.
        start, length: instructions of the thread.
        warmup: instructions before start.
        cluster: what it stands for.
        run, thread: of the program.
        population, spread: see model.Points.
    """

    weight: float
    path: Path
    line: int | None = None
    row: int | None = None
    interval: int | None = None
    start: int | None = None
    length: int | None = None
    warmup: int = 0
    cluster: int | None = None
    run: int = 0
    thread: int | None = None
    population: int = 0
    spread: float = math.nan

    def error(self, message: str, hint: str = "") -> DataError:
        """What is wrong with it, said of its place."""
        return DataError(message, path=self.path, line=self.line, row=self.row, hint=hint)


@dataclass(frozen=True)
class Labels:
    """The clusters of a thread's intervals, as a labels file has them.

    Attributes:
        path: the file.
        cluster: of each interval, n int64.
    """

    path: Path
    cluster: NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """What the files of one choice state.

    Attributes:
        points: at least one.
        files: that were read.
        labels: (run, thread) -> the clusters of its intervals, where there are files of them.
        coverage: share of the run that the points stand for, where a file says; None: it does not.
        covers_more: whether they may stand for more, as where the share is the one that was asked for.
        method: how the points were chosen, where a file says.
        instructions: of the whole run, where a file says.
        may_be_starts: whether what stands as `interval` may as well be the instruction it starts at.
    """

    points: tuple[ChosenPoint, ...]
    files: tuple[Path, ...]
    labels: Mapping[tuple[int, int], Labels] = field(default_factory=dict)
    coverage: float | None = None
    method: str = GIVEN
    instructions: int | None = None
    may_be_starts: bool = False
    covers_more: bool = False


def totals(chosen: Chosen) -> dict[tuple[int, int], float]:
    """(run, thread) -> what the weights of its points sum to."""
    sums: dict[tuple[int, int], float] = {}
    for point in chosen.points:
        key = (point.run, point.thread or 0)
        sums[key] = sums.get(key, 0.0) + point.weight
    return sums


def are_separate(chosen: Chosen) -> bool:
    """Whether each thread was clustered by itself: then the weights of each sum to 1."""
    sums = list(totals(chosen).values())
    return len(sums) > 1 and all(abs(total - 1) <= TOLERANCE for total in sums)


def require_total(chosen: Chosen, expected: float = 1.0) -> float:
    """What the weights sum to: about 1, or 100 where they are percentages.

    Args:
        chosen: the points.
        expected: another sum that will do.

    Raises:
        DataError: they sum to something else.
    """
    total = math.fsum(point.weight for point in chosen.points)
    if any(abs(total - sum_) <= TOLERANCE * max(sum_, 1) for sum_ in (1.0, 100.0, expected, 100 * expected)):
        return total
    hint = "give all points of one choice, with their weights as they were written"
    if 0 < total < 1:
        hint += f"; or, if they stand for {total:.1%} of the run, say --coverage {total:.1%}"
    raise DataError(f"the weights sum to {total:.6g} instead of 1", path=chosen.files[-1], hint=hint)
