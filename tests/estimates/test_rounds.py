"""Whole rounds of a target error: what they cost, and whether the bar holds when they end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.estimates.test_strata import LENGTH, measured, one_phase, places

from phasemark.errors import UsageError
from phasemark.estimates import PointOptions, rounds
from phasemark.model import Intervals, Metrics, Phases


def run_of(cpi: np.ndarray) -> tuple[Intervals, Phases, Metrics]:
    table = Intervals.of_thread([LENGTH] * len(cpi))
    return table, one_phase(len(cpi)), measured(table, cycles=cpi * LENGTH)


def test_rounds_end_within_the_target_for_few_more_points_than_are_needed() -> None:
    rng = np.random.default_rng(3)
    at = np.linspace(0, 1, 300)
    made = run_of(1 + at + 0.1 * rng.normal(0, 1, 300))
    found = []
    for seed in range(12):
        options = PointOptions(target_error=0.01, seed=seed)
        found.append(rounds.play(*made, options, places(at)))
        assert 1 < found[-1].rounds < rounds.MOST
        assert found[-1].expected[0] <= min(0.01, found[-1].expected[1])
    least = rounds.needed(*made, PointOptions(target_error=0.01), places(at))
    assert least < np.mean([one.trial.points for one in found]) < 1.5 * least
    assert sum(one.within for one in found) >= 11
    assert sum(one.trial.covered for one in found) >= 11


def test_the_fewest_points_by_hand() -> None:
    """One code throughout: the first interval for certain, and n of the 79 others, by a normal quantile."""
    cpi = np.random.default_rng(2).normal(2, 0.3, 80)
    least = rounds.needed(*run_of(cpi), PointOptions(target_error=0.03), places(np.zeros(80)))
    variance = float(np.var(cpi[1:], ddof=1))
    off = {n: 1.959964 * 79 * math.sqrt((1 - n / 79) * variance / n) / 80 for n in range(2, 80)}
    assert least == 1 + min(n for n in off if off[n] <= 0.03 * cpi.mean()) > 10


def test_without_a_target_there_are_no_rounds() -> None:
    with pytest.raises(UsageError, match="target"):
        rounds.play(*run_of(np.ones(30)), PointOptions(budget=10), places(np.zeros(30)))
    with pytest.raises(UsageError, match="target"):
        rounds.needed(*run_of(np.ones(30)), PointOptions(), places(np.zeros(30)))
