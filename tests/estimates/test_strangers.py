"""Intervals that are not like their stratum, and that no point hit: what the error bar allows for them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimates.samples import metrics_of, points_of, with_spread
from tests.estimates.test_unseen import sample as sample_of
from tests.reference import errorbars as twin

from phasemark.estimates import calibration, estimate, strangers, unseen, variance
from phasemark.estimates.variance import Sample


def test_the_share_is_three_among_one_more_point() -> None:
    assert [strangers.share(n, 3) for n in (1, 2, 3, 29, 99)] == pytest.approx([1, 1, 3 / 4, 0.1, 0.03])
    assert strangers.share(0, 3) == 1


def test_where_strata_tell_more_the_share_falls_with_the_square_of_the_points() -> None:
    shares = [strangers.share(n, 6, 2) for n in (0, 5, 11, 59)]
    assert shares == pytest.approx([1, 1, 0.25, 0.01])


def test_points_below_and_above_are_told_apart() -> None:
    below, above = strangers.squares(np.array([1.0, 2, 5]), np.array([0.5, 0.25, 0.25]), np.array([1.0, 3]))
    assert below.tolist() == [0, 0.5 * 4 + 0.25 * 1]
    assert above.tolist() == [0.25 * 1 + 0.25 * 16, 0.25 * 4]


def test_a_stratum_of_the_cheapest_intervals_may_be_too_low_and_hardly_too_high() -> None:
    """Ten of CPI 1 that are alike, and others of CPI 3, all measured: what was missed costs more."""
    metrics = metrics_of([100.0] * 40 + [300.0] * 4)
    points = with_spread(points_of(metrics, [0] * 40 + [1] * 4, [*range(10), *range(40, 44)]), [0.01, 0.01])
    found = estimate(points, metrics)
    low, high = found.interval["cpi"]
    assert high - found.value["cpi"] > 3 * (found.value["cpi"] - low) > 0


@st.composite
def samples(draw: st.DrawFn) -> tuple[Sample, list[twin.Point]]:
    """Strata of one to four points, of unlike lengths."""
    counts = draw(st.lists(st.integers(1, 4), min_size=2, max_size=5))
    n = sum(counts)
    stratum = np.repeat(np.arange(len(counts)), counts)
    length = np.array(draw(st.lists(st.sampled_from([10.0, 20.0, 35.0]), min_size=n, max_size=n)))
    residual = np.array(draw(st.lists(st.integers(-20, 20), min_size=n, max_size=n))) / 8
    share = np.array(draw(st.lists(st.integers(1, 9), min_size=len(counts), max_size=len(counts))), float)
    weight = (share / share.sum())[stratum] * length / np.bincount(stratum, weights=length)[stratum]
    more = np.array(draw(st.lists(st.integers(0, 30), min_size=len(counts), max_size=len(counts))))
    spread = np.array(draw(st.lists(st.floats(0, 0.8), min_size=len(counts), max_size=len(counts))))
    made = Sample("stratified", stratum, length, weight, residual, np.array(counts) + more, spread)
    columns = (stratum.tolist(), length.tolist(), weight.tolist(), residual.tolist())
    return made, [twin.Point(*row) for row in zip(*columns, strict=True)]


@settings(deadline=None)
@given(samples())
def test_the_variance_is_that_of_the_twin(made: tuple[Sample, list[twin.Point]]) -> None:
    sample, points = made
    found = variance.of(sample)
    sizes, spreads = dict(enumerate(sample.population.tolist())), dict(enumerate(sample.spread.tolist()))
    _same(found, twin.sides(points, sizes, spreads))
    balanced = len(points) // 2
    of_behaviour = dataclasses.replace(
        sample, calibration=calibration.OF_BEHAVIOUR, balanced=balanced / len(points)
    )
    told = twin.sides(points, sizes, spreads, twin.BEHAVIOUR, balanced)
    _same(variance.of(of_behaviour), told)


def _same(found: variance.Sides, told: tuple[tuple[float, float], tuple[float, float]]) -> None:
    for side, (expected, degrees) in zip((found.below, found.above), told, strict=True):
        assert side.variance == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert side.degrees_of_freedom == pytest.approx(degrees) or expected < 1e-12


def test_degrees_of_freedom_by_hand() -> None:
    """1 and 3 of 2 and 6 degrees: 16 / (1/2 + 9/6); and what is certain has infinitely many."""
    assert twin.satterthwaite([(1, 2), (3, 6)]) == (4, 8)
    assert twin.satterthwaite([(0, 2)]) == (0, math.inf)


@settings(deadline=None, max_examples=15)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 9), st.integers(0, 40)), min_size=1, max_size=4),
    st.sampled_from([0.5, 0.95]),
)
def test_the_share_with_events_that_no_point_saw_is_that_of_the_twin(strata, confidence) -> None:
    n = [count for count, _, _ in strata]
    weights = [weight / sum(weight for _, weight, _ in strata) for _, weight, _ in strata]
    sizes = [count + more for count, _, more in strata]
    found = unseen.share_of_run(sample_of(n, weights, sizes), confidence)
    assert found == pytest.approx(twin.unseen_share(n, weights, sizes, confidence, 3000), abs=2e-3)


def test_intervals_hold_where_one_interval_in_thirty_is_half_as_slow_again() -> None:
    """As of gunzip: 60 intervals of one code, two of which run cold; by the textbook few hold."""
    rng = np.random.default_rng(4)
    cycles = np.concatenate([np.full(60, 76.0), np.full(60, 116.0) + rng.normal(0, 1, 60)])
    cycles[[3, 4]] = 120.0
    metrics, labels = metrics_of(cycles), np.repeat([0, 1], 60)
    truth, held, bare = cycles.mean() / 100, 0, 0
    for _ in range(60):
        rows = np.concatenate([rng.choice(60, 6, replace=False), 60 + rng.choice(60, 6, replace=False)])
        points = points_of(metrics, labels, rows)
        bare += estimate(points, metrics).covers("cpi", truth)
        held += estimate(with_spread(points, [0.015, 0.015]), metrics).covers("cpi", truth)
    assert held >= 57 and bare < 40
