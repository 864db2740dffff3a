"""What was chosen before and measured, seen in the order in which points of the strata are taken now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Metrics, Points
from phasemark.points import Population
from phasemark.points.stratified import ordered


class Earlier(NamedTuple):
    """Points of an earlier choice, among the rows that can be points.

    Attributes:
        stratum, place: of each row, in the order in which they are taken, n int64; places from 0.
        chosen, measured: whether it was a point, and whether that was measured, n booleans.
        k: number of strata.
    """

    stratum: NDArray[np.int64]
    place: NDArray[np.int64]
    chosen: NDArray[np.bool_]
    measured: NDArray[np.bool_]
    k: int

    @classmethod
    def of(cls, population: Population, before: Points, pilot: Metrics, seed: int) -> Earlier:
        """Look for an earlier choice and what was measured of it."""
        order, first = ordered(population, seed)
        stratum = population.phases.labels[order].astype(np.int64)
        keys = list(_keys(population.intervals, order))
        rows = list(zip(before.run.tolist(), before.thread.tolist(), before.interval.tolist(), strict=True))
        is_measured = pilot.rows(before.run, before.thread, before.interval) >= 0
        measured = {row for row, there in zip(rows, is_measured.tolist(), strict=True) if there}
        chosen = set(rows)
        return cls(
            stratum,
            np.arange(len(order)) - first[stratum],
            np.array([key in chosen for key in keys], np.bool_),
            np.array([key in measured for key in keys], np.bool_),
            population.phases.k,
        )

    @property
    def continues(self) -> bool:
        """Whether the earlier points are those that would be taken first: they come from these strata."""
        return bool(self._begins.all())

    @property
    def reach(self) -> NDArray[np.int64]:
        """How many points of each stratum hold the earlier ones that were measured, k int64.

        0 of a stratum that does not begin with them: they were drawn from others, and lie anywhere in it.
        """
        last = np.zeros(self.k, np.int64)
        np.maximum.at(last, self.stratum[self.measured], self.place[self.measured] + 1)
        return np.where(self._begins, last, 0)

    def among(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many were measured of so many points of each stratum, k int64."""
        there = self.measured & (self.place < counts[self.stratum])
        return np.bincount(self.stratum[there], minlength=self.k).astype(np.int64)

    @property
    def _begins(self) -> NDArray[np.bool_]:
        """Whether a stratum's earlier points are those that are taken first, k booleans."""
        of_stratum = np.bincount(self.stratum[self.chosen], minlength=self.k)
        first = self.chosen & (self.place < of_stratum[self.stratum])
        return np.asarray(np.bincount(self.stratum[first], minlength=self.k) == of_stratum)


def _keys(intervals: Intervals, order: NDArray[np.int64]) -> Iterable[tuple[Any, ...]]:
    return zip(
        intervals.run[order].tolist(),
        intervals.thread[order].tolist(),
        intervals.index[order].tolist(),
        strict=True,
    )
