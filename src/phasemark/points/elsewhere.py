"""Points that another tool chose, held against the phases of the run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Intervals, Phases, Points
from phasemark.model.points import GIVEN, WHOLE_RUN
from phasemark.points.population import Population
from phasemark.points.spread import spread_of

#: Weights are written with six digits, and tools weigh a short last interval as they like.
_TOLERANCE = 2e-3


@dataclass(frozen=True)
class OfPhases:
    """Points that say which of the run's phases they lie in.

    Attributes:
        points: with the phase of their interval.
        chosen_from: whether the points stand for these phases, each for its own.
    """

    points: Points
    chosen_from: bool


def of_phases(
    points: Points, rows: NDArray[np.int64], intervals: Intervals, phases: Phases, *, told: bool = False
) -> OfPhases:
    """Hold points of another tool against the phases of a run.

    Points whose weights are the shares of the phases they lie in were chosen from these phases: their
    population, spread and coverage are then known. Else they stand for something of which nothing is known
    here, and their weights are all there is.

    Args:
        points: intervals of the run.
        rows: of the points' intervals.
        intervals, phases: of the run, row by row.
        told: it is known that the points were chosen from these phases.
    """
    labels = phases.labels[rows]
    if points.method in WHOLE_RUN:
        return OfPhases(dataclasses.replace(points, phase=labels), chosen_from=False)
    if points.method != GIVEN and np.array_equal(labels, points.phase):
        return OfPhases(points, chosen_from=True)
    population = Population.of(intervals, phases)
    there = np.isin(np.arange(phases.k), labels)
    if not told and not are_shares(points, labels, population.shares, population.sizes):
        given = dataclasses.replace(
            points,
            phase=labels,
            method=GIVEN,
            population=np.zeros(len(points), np.int64),
            spread=np.full(len(points), np.nan),
        )
        return OfPhases(given, chosen_from=False)
    known = dataclasses.replace(
        points,
        phase=labels,
        population=population.sizes[labels],
        spread=spread_of(phases, intervals)[labels],
        coverage=min(float(population.shares[there].sum()), 1.0),
        method=GIVEN,
    )
    return OfPhases(known, chosen_from=True)


def are_shares(
    points: Points, labels: NDArray[np.int32], shares: NDArray[np.float64], sizes: NDArray[np.int64]
) -> bool:
    """Whether each phase's points weigh what it has of the run, by instructions or by intervals.

    Args:
        points: their weights are taken.
        labels: the phase of each.
        shares, sizes: instructions (as a share of the run) and intervals of each phase.
    """
    there = np.isin(np.arange(len(shares)), labels)
    weights = np.bincount(labels, weights=points.weight, minlength=len(shares))
    for of_run in (shares, sizes / sizes.sum()):
        if np.abs(weights - np.where(there, of_run, 0.0) / of_run[there].sum()).max() <= _TOLERANCE:
            return True
    return False
