"""How many points: pilot, budget, target error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimates.samples import metrics_of

from phasemark.errors import UsageError
from phasemark.estimates import planning


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=1, max_size=8),
    st.integers(0, 100),
)
def test_a_budget_is_spent_with_two_of_each_phase_where_it_allows(phases, more) -> None:
    sizes = np.array([size for size, _ in phases])
    deviations = np.array([deviation for _, deviation in phases])
    budget = int(min(np.minimum(sizes, 2).sum() + more, sizes.sum()))
    counts = planning.for_budget(budget, sizes, deviations)
    assert counts.sum() == budget
    assert (counts <= sizes).all() and (counts >= np.minimum(sizes, 2)).all()


def test_a_small_budget_has_one_of_each_phase() -> None:
    sizes = np.array([10, 10, 10])
    assert planning.for_budget(4, sizes, np.array([0.1, 0.9, 0.1])).tolist() == [1, 2, 1]
    with pytest.raises(UsageError, match="2 intervals cannot stand for 3 phases"):
        planning.for_budget(2, sizes, np.ones(3))


def test_the_target_is_met_with_the_fewest_points() -> None:
    sizes = np.array([300, 100, 5])
    expected = planning.from_proxy(np.array([0.1, 0.3, 0.01]))
    for target in (0.1, 0.03, 0.01, 0.001):
        counts = planning.for_error(target, 0.95, sizes, expected)
        assert planning.half_width(counts, 0.95, sizes, expected) <= target
        if counts.sum() > np.minimum(sizes, 2).sum():
            fewer = planning.for_budget(int(counts.sum()) - 1, sizes, expected.deviations)
            assert planning.half_width(fewer, 0.95, sizes, expected) > target


def test_all_points_have_no_error() -> None:
    sizes = np.array([3, 4])
    assert planning.half_width(sizes, 0.95, sizes, planning.from_proxy(np.array([0.5, 0.5]))) == 0


def test_a_pilot_takes_the_place_of_the_proxy() -> None:
    labels = np.array([0] * 50 + [1] * 50)
    rng = np.random.default_rng(2)
    metrics = metrics_of(np.concatenate([rng.normal(100, 20, 50), rng.normal(200, 1, 50)]))
    rows = np.arange(100)
    expected = planning.from_pilot(np.array([0.05, 0.05]), labels, metrics.length, rows, metrics)
    assert expected.source == "pilot" and expected.measured.tolist() == [50, 50]
    assert expected.deviations[0] == pytest.approx(20 / 150, rel=0.2)
    assert expected.deviations[1] < 0.02
    few = np.where(np.isin(rows, [0, 1, 50, 51]), rows, -1)
    little = planning.from_pilot(np.array([0.05, 0.05]), labels, metrics.length, few, metrics)
    assert little.measured.tolist() == [2, 2]


def test_an_empty_pilot_is_the_proxy() -> None:
    metrics = metrics_of([np.nan, np.nan])
    spread = np.array([0.2])
    found = planning.from_pilot(spread, np.array([0, 0]), metrics.length, np.array([0, 1]), metrics)
    assert found.source == "proxy"
    assert found.deviations.tolist() == planning.from_proxy(spread).deviations.tolist()


def test_a_pilot_of_one_interval_says_nothing_of_deviations() -> None:
    metrics = metrics_of([3.0, 5.0])
    spread = np.array([0.2])
    found = planning.from_pilot(spread, np.array([0, 0]), metrics.length, np.array([0, -1]), metrics)
    assert found.source == "proxy"
    assert found.deviations.tolist() == planning.from_proxy(spread).deviations.tolist()


def test_nonsense_is_refused() -> None:
    sizes, expected = np.array([10]), planning.from_proxy(np.array([0.1]))
    with pytest.raises(UsageError, match="target error"):
        planning.for_error(0, 0.95, sizes, expected)
    with pytest.raises(UsageError, match="confidence"):
        planning.for_error(0.1, 95, sizes, expected)
