"""How many points: pilot, budget, target error."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit
from tests.estimates.samples import metrics_of

from phasemark.errors import DataError, UsageError
from phasemark.estimates import calibration, planning


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
    assert expected.deviations[1] < 0.03
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
    with pytest.raises(UsageError, match="target_error is 0"):
        planning.for_error(0, 0.95, sizes, expected)
    with pytest.raises(UsageError, match="confidence"):
        planning.for_error(0.1, 95, sizes, expected)


def test_the_proxy_expects_a_deviation_of_30_percent_over_the_run() -> None:
    expected = planning.from_proxy(np.array([0.1, 0.9, np.nan]))
    assert expected.deviations.tolist() == pytest.approx([0.06, 0.3, 0.3])
    assert expected.proxy.tolist() == expected.deviations.tolist()
    assert expected.measured.tolist() == [0, 0, 0] and expected.measured.dtype == np.int64


def test_a_pilot_by_hand() -> None:
    """Means 1.1 and 3 of weights 3/5 and 2/5; s^2 .02 of phase 0, none of phase 1, nothing of phase 2."""
    metrics = metrics_of([100, 120, 999, 300, 999, 999], lengths=[100, 100, 100, 100, 100, 300])
    labels, rows = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, -1, 3, -1, -1])
    spread = np.array([0.01, 0.1, 0.5])
    expected = planning.from_pilot(spread, labels, metrics.length, rows, metrics)
    mean = 0.6 * 1.1 + 0.4 * 3
    whole = 0.6 * (0.02 + (1.1 - mean) ** 2) + 0.4 * (3 - mean) ** 2
    # The one variance that is known is larger than its proxy: so, by as much as it counts, are the others.
    factor = (3 + 0.02 / (0.02**2 * whole)) / 4
    proxies = [factor * 0.02**2 * whole, factor * 0.2**2 * whole, whole]
    assert factor > 1
    assert expected.proxy.tolist() == pytest.approx([np.sqrt(v) / mean for v in proxies])
    joined = [(0.02 + 3 * proxies[0]) / 4, proxies[1], proxies[2]]
    assert expected.deviations.tolist() == pytest.approx([np.sqrt(v) / mean for v in joined])
    assert expected.measured.tolist() == [2, 1, 0] and expected.source == "pilot"


def test_a_run_without_cycles_deviates_from_nothing() -> None:
    metrics = metrics_of([0, 0, 0])
    found = planning.from_pilot(np.array([0.5]), np.zeros(3, int), metrics.length, np.arange(3), metrics)
    assert found.deviations.tolist() == [0] and found.source == "pilot"


def test_the_half_width_by_hand() -> None:
    """Two phases of 10 and 30 intervals, 2 and 3 points: deviations .1 and .2 of CPI, the proxy's smaller."""
    sizes, counts = np.array([10, 30]), np.array([2, 3])
    expected = planning.Expected(np.array([0.1, 0.2]), np.array([0.05, 0.05]), np.array([2, 3]))
    parts = [0.25**2 * 0.8 * 0.01 / 2, 0.75**2 * 0.9 * 0.04 / 3]
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 5)
    half = float(stdtrit(degrees, 0.975)) * np.sqrt(sum(parts))
    assert planning.half_width(counts, 0.95, sizes, expected) == pytest.approx(half)
    # A phase left out adds nothing; the share of the others stays that of all.
    alone = planning.half_width(np.array([2, 0]), 0.95, sizes, expected)
    assert alone == pytest.approx(float(stdtrit(4, 0.975)) * np.sqrt(parts[0]))
    # Of a single point the proxy's deviation is taken.
    one = planning.half_width(np.array([1, 30]), 0.95, sizes, expected)
    assert one == pytest.approx(float(stdtrit(3, 0.975)) * 0.25 * np.sqrt(0.9) * 0.05)


def test_the_error_bar_allows_for_strangers() -> None:
    """None below and .3 squared of CPI above, of 1 or 3 of 6: as of a proxy that much larger, upwards."""
    sizes, counts = np.array([10, 30]), np.array([2, 3])
    plain = planning.Expected(np.array([0.1, 0.2]), np.array([0.05, 0.05]), np.array([2, 3]))
    more = dataclasses.replace(plain, below=np.zeros(2), above=np.full(2, 0.09))
    half = planning.half_width(counts, 0.95, sizes, plain)
    assert planning.error_bar(counts, 0.95, sizes, plain) == pytest.approx(half)
    for width, of in ((planning.half_width, 1 / 6), (planning.error_bar, 3 / 6)):
        raised = dataclasses.replace(plain, proxy=np.sqrt(plain.proxy**2 + of * 0.09))
        upwards = planning.half_width(counts, 0.95, sizes, raised)
        assert width(counts, 0.95, sizes, more) == pytest.approx((half + upwards) / 2) != half


def test_with_strata_of_behaviour_the_plan_is_the_error_bar() -> None:
    """(6/6)^2 of strangers; half the variance of what is balanced, 4 of 5 points: .6 of it."""
    sizes, counts = np.array([10, 30]), np.array([2, 3])
    plain = planning.Expected(np.array([0.1, 0.2]), np.array([0.05, 0.05]), np.array([2, 3]))
    more = dataclasses.replace(plain, below=np.zeros(2), above=np.full(2, 0.09))
    found = dataclasses.replace(more, calibration=calibration.OF_BEHAVIOUR, balanced=4)
    raised = dataclasses.replace(plain, proxy=np.sqrt(plain.proxy**2 + 0.09))
    halves = [planning.half_width(counts, 0.95, sizes, of) for of in (plain, raised)]
    for width in (planning.half_width, planning.error_bar):
        assert width(counts, 0.95, sizes, found) == pytest.approx(np.sqrt(0.6) * sum(halves) / 2)
    every = dataclasses.replace(found, balanced=100)
    assert planning.error_bar(counts, 0.95, sizes, every) == pytest.approx(np.sqrt(0.5) * sum(halves) / 2)
    none = planning.half_width(np.zeros(2, int), 0.95, sizes, found)
    assert none == 0


def test_a_pilot_of_strata_of_behaviour_by_hand() -> None:
    """As of code, but .8 of the spread, twenty measurements' trust in it, and no variance below its proxy."""
    metrics = metrics_of([100, 120, 999, 300, 999, 999], lengths=[100, 100, 100, 100, 100, 300])
    labels, rows = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, -1, 3, -1, -1])
    spread = np.array([0.5, 0.1, 0.9])
    expected = planning.from_pilot(
        spread, labels, metrics.length, rows, metrics, factors=calibration.OF_BEHAVIOUR
    )
    mean = 0.6 * 1.1 + 0.4 * 3
    whole = 0.6 * (0.02 + (1.1 - mean) ** 2) + 0.4 * (3 - mean) ** 2
    factor = (20 + 0.02 / (0.4**2 * whole)) / 21
    proxies = [factor * (0.8 * s) ** 2 * whole for s in spread]
    assert 0.6 < factor < 1 and proxies[0] > 0.02
    assert expected.proxy.tolist() == pytest.approx([np.sqrt(v) / mean for v in proxies])
    joined = [(0.02 + 3 * proxies[0]) / 4, proxies[1], proxies[2]]
    assert expected.deviations.tolist() == pytest.approx([np.sqrt(v) / mean for v in joined])
    assert expected.calibration == calibration.OF_BEHAVIOUR


def test_what_strangers_may_cost_is_learned_from_the_pilot() -> None:
    """Phase 0 at 1.0, phase 1 at 2.0, as large: each is a stranger of the other, by half of the run."""
    metrics = metrics_of([100.0, 100, 200, 200])
    labels, rows = np.array([0, 0, 1, 1]), np.arange(4)
    found = planning.from_pilot(np.array([0.1, 0.1]), labels, metrics.length, rows, metrics)
    assert found.below is not None and found.above is not None
    assert found.below.tolist() == pytest.approx([0, 0.5 / 1.5**2])
    assert found.above.tolist() == pytest.approx([0.5 / 1.5**2, 0])


def test_a_budget_moves_from_where_a_point_matters_least() -> None:
    """Two of each phase, though Neyman gives the still ones one; the spare comes from the largest share."""
    sizes = np.array([50, 50, 50])
    assert planning.for_budget(6, sizes, np.array([1.0, 0.1, 0.1])).tolist() == [2, 2, 2]
    assert planning.for_budget(8, sizes, np.array([1.0, 0.0, 0.0])).tolist() == [4, 2, 2]
    assert planning.for_budget(12, sizes, np.array([1.0, 0.5, 0.01])).tolist() == [7, 3, 2]
    assert planning.for_budget(5, np.array([1, 50]), np.ones(2)).tolist() == [1, 4]


def test_the_least_target_takes_everything_and_the_widest_two_of_each() -> None:
    sizes, expected = np.array([30, 4, 1]), planning.from_proxy(np.array([0.2, 0.1, 0.0]))
    assert planning.for_error(1e-12, 0.95, sizes, expected).tolist() == sizes.tolist()
    assert planning.for_error(0.99, 0.95, sizes, expected).tolist() == [2, 2, 1]
    surer = planning.for_error(0.05, 0.99, sizes, expected)
    assert surer.sum() > planning.for_error(0.05, 0.9, sizes, expected).sum()


def test_a_pilot_without_cycles_is_refused() -> None:
    metrics = metrics_of([1.0])
    bare = dataclasses.replace(metrics, counters={"widgets": np.ones(1)}, units={})
    with pytest.raises(DataError, match="no metric 'cpi' was measured"):
        planning.from_pilot(np.array([0.2]), np.array([0]), bare.length, np.array([0]), bare)
