"""The metrics of intervals that were not simulated, from the points of their states: EPM1 and EPM2.

"Probabilistic generative models", section 1.3. EPM1: an interval has the metrics of its phase's points; EPM2:
those of all phases' points, each as much as it is probable that the interval is in that phase. An interval
that was simulated keeps its own. Numerators and denominators of ratios are estimated separately.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted, shown
from phasemark.model import Intervals, Phases, Points, given
from phasemark.model.given import IntervalsLike, PhasesLike
from phasemark.model.points import WHOLE_RUN

#: How points become the whole run: by their weights, by phase (EPM1), by the probability of phases (EPM2).
ESTIMATORS = ("weights", "epm1", "epm2")

#: An interval that is less probably in phases that have points says nothing of its metrics.
_ENOUGH = 0.5


@dataclass(frozen=True, eq=False)
class States:
    """Intervals, and how much each is in each phase.

    Attributes:
        intervals: n of them.
        membership: n x k doubles, rows sum to 1: 0 and 1 of EPM1, the posterior of EPM2.
    """

    intervals: Intervals
    membership: NDArray[np.float64]

    @classmethod
    def of(cls, intervals: IntervalsLike, phases: PhasesLike, estimator: str) -> States:
        """Those of a run.

        Raises:
            UsageError: no such estimator, or phases without probabilities for EPM2.
            DataError: phases of other intervals.
        """
        check_estimator(estimator)
        intervals, phases = given.intervals(intervals), given.phases(phases)
        if len(phases) != len(intervals):
            raise DataError(
                f"phases of {len(phases):,} intervals, but {len(intervals):,} intervals",
                hint="find the phases of this profile again",
            )
        return cls(intervals, _membership(phases, estimator))

    @property
    def k(self) -> int:
        """Number of phases."""
        return int(self.membership.shape[1])

    def rows(self, points: Points) -> NDArray[np.int64]:
        """The rows of the intervals of points.

        Raises:
            UsageError: they do not stand for phases.
            DataError: they are of another run.
        """
        if points.method in WHOLE_RUN:
            raise UsageError(
                f"points of method {points.method} stand for the whole run, not for its phases",
                hint="estimate by weights, or pick points of each phase",
            )
        of = self.intervals
        keys = zip(of.run.tolist(), of.thread.tolist(), of.index.tolist(), of.start.tolist(), strict=True)
        at = {key: row for row, key in enumerate(keys)}
        asked = (points.run, points.thread, points.interval, points.start)
        rows = [at.get(key, -1) for key in zip(*(column.tolist() for column in asked), strict=True)]
        found = np.array(rows, np.int64)
        bad = (found < 0) | (points.phase >= self.k)
        bad |= of.length[found] != points.end - points.start
        if bad.any():
            row = int(np.argmax(bad))
            raise DataError(
                f"the point at interval {points.interval[row]:,} is of other intervals or phases",
                row=row,
                hint="pick the points of these phases again",
            )
        return found


def check_estimator(estimator: str) -> None:
    """See that there is such an estimator.

    Raises:
        UsageError: there is none.
    """
    if estimator not in ESTIMATORS:
        raise UsageError(
            f"no estimator is called {shown(estimator)}", hint=f"one of: {', '.join(ESTIMATORS)}"
        )


def reweighted(points: Points, intervals: IntervalsLike, phases: PhasesLike, estimator: str) -> Points:
    """The points, with the weights with which they add up to the sum over all intervals.

    An estimate is linear in what was measured: what EPM1 and EPM2 make of each interval, summed, is a
    weighted sum of the points. So it has the error bars of any other.

    Args:
        points: of phases.
        intervals, phases: of the run.
        estimator: epm1 or epm2.

    Returns:
        Their coverage is how much of the instructions is in phases that have points.

    Raises:
        UsageError, DataError: as `estimates.estimate`.
    """
    states = States.of(intervals, phases, estimator)
    rows = states.rows(points)
    length = states.intervals.length.astype(np.float64)
    simulated = np.zeros(len(length), np.bool_)
    simulated[rows] = True
    rest = (length * ~simulated) @ states.membership
    stands = standing(points, length[rows], states.k)
    # Of an interval that is the point of several phases, each has its part.
    shared = np.bincount(rows, minlength=len(length))[rows]
    weight = length[rows] / shared + stands * rest[points.phase]
    covered = min(float(weight.sum() / length.sum()), 1.0)
    weights = weight / weight.sum()
    return dataclasses.replace(points, weight=weights, coverage=covered, balanced=0)


def standing(
    points: Points, length: NDArray[np.float64], k: int, there: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """For what part of the rest of its phase each point stands, one number a point.

    That is in proportion to its length; of points of strata, to its weight: not all intervals of a phase were
    as likely to be a point.

    Args:
        points: of phases.
        length: of each point.
        k: number of phases.
        there: which points are left, if not all; as many numbers are returned.
    """
    basis = length if points.strata is None else points.weight
    phase = points.phase
    if there is not None:
        basis, phase = basis[there], phase[there]
    return np.asarray(basis / np.bincount(phase, weights=basis, minlength=k)[phase], np.float64)


def spread_out(
    states: States,
    points: Points,
    measured: tuple[NDArray[np.float64], ...],
) -> tuple[NDArray[np.float64], ...]:
    """Counters per instruction of every interval, from those of the points.

    Args:
        states: of the run.
        points: of its phases.
        measured: counters of the points, one number a point; NaN in any: the point is missing.

    Returns:
        As many, n doubles each; NaN of intervals that are in phases of which no point was measured with a
        probability of more than a half, and of those without instructions. Where a phase has no point, its
        share is left out, of all counters alike.
    """
    rows = states.rows(points)
    there = np.all(np.isfinite(measured), axis=0)
    rows, phase = rows[there], points.phase[there]
    length = states.intervals.length.astype(np.float64)
    stands = standing(points, length[states.rows(points)], states.k, there)
    known = states.membership @ (np.bincount(phase, minlength=states.k) > 0)
    found = []
    for counter in measured:
        each = stands * counter[there] / length[rows]
        rates = np.asarray(np.bincount(phase, weights=each, minlength=states.k), np.float64)
        shared = states.membership @ rates
        values = np.divide(shared, known, out=np.full(len(length), np.nan), where=known >= _ENOUGH)
        values[rows] = counter[there] / length[rows]
        values[length == 0] = np.nan
        found.append(values)
    return tuple(found)


def _membership(phases: Phases, estimator: str) -> NDArray[np.float64]:
    if estimator != "epm2":
        return np.eye(phases.k)[phases.labels]
    if phases.posterior is None:
        model = phases.model.get("method", "their model")
        raise UsageError(
            f"epm2 needs the probability of each of {counted(phases.k, 'phase')}, and {model} gives none",
            hint="take epm1, or find the phases with the model mixture, hmm or hsmm",
        )
    return phases.posterior
