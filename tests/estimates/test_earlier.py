"""Points that were measured before another target, or a budget, asked for points."""

from __future__ import annotations

import numpy as np
import pytest
from tests.estimates.runs import N, metrics, profile

from phasemark.estimates import PointOptions, choose
from phasemark.estimates.earlier import Earlier
from phasemark.model import Metrics, Phases, Points
from phasemark.points import Population


def one_phase() -> Phases:
    return Phases([0] * N, [[0.0]], [1.0] * N)


def measured(points: Points) -> Metrics:
    rows = points.interval
    keys = (getattr(metrics(), name)[rows] for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {"cycles": metrics().counters["cycles"][rows]})


def intervals(points: Points) -> set[int]:
    return set(points.interval.tolist())


@pytest.mark.parametrize(("first", "then"), [(0.02, 0.05), (0.05, 0.02)])
def test_a_pilot_of_another_size_is_kept(first: float, then: float) -> None:
    run, phases = profile(), one_phase()
    pilot = choose(run, phases, target_error=first)
    more = choose(run, phases, PointOptions(target_error=then), measured(pilot), pilot.points)
    assert intervals(pilot) <= intervals(more)
    assert more.details["kept"] == len(pilot)
    assert sum(more.details["more"].values()) == len(more) - len(pilot)
    anew = choose(run, phases, target_error=then)
    assert not intervals(pilot) <= intervals(anew)


def test_points_of_a_budget_are_not_said_to_be_kept_where_they_are_not() -> None:
    """They come from other strata: what was measured tells of deviations, and a few points are the same."""
    run, phases = profile(), one_phase()
    of_budget = choose(run, phases, budget=30)
    chosen = choose(run, phases, PointOptions(target_error=0.2), measured(of_budget), of_budget.points)
    both = len(intervals(of_budget) & intervals(chosen))
    assert chosen.details["kept"] == both < len(of_budget)
    assert sum(chosen.details["more"].values()) == len(chosen) - both
    alone = choose(run, phases, PointOptions(target_error=0.2), measured(of_budget))
    assert intervals(alone) == intervals(chosen)


def test_a_stratum_reaches_to_the_last_that_was_measured() -> None:
    population = Population.of(profile().interval_table, one_phase())
    before = choose(profile(), one_phase(), per_phase=5).points
    earlier = Earlier.of(population, before, measured(before), seed=1)
    assert earlier.continues and earlier.reach.tolist() == [5]
    assert earlier.among(np.array([3])).tolist() == [3] and earlier.among(np.array([N])).tolist() == [5]
    other = Earlier.of(population, before, measured(before), seed=2)
    assert not other.continues and other.reach.tolist() == [0]
