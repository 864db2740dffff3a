"""The proxy of the deviation within a phase, where little was measured."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.estimates import proxy


def test_a_variance_that_was_measured_is_raised_never_lowered() -> None:
    measured, degrees = np.array([1.0, 9.0, 0.0]), np.array([3.0, 3.0, 0.0])
    assert proxy.joined(measured, degrees, np.full(3, 4.0)).tolist() == [2.5, 9.0, 4.0]


def test_the_variance_expected_of_a_phase() -> None:
    """Twice the spread times the run's; at least as of a spread of 1%, at most all; unknown: all."""
    spread = np.array([0.1, 0.0, 0.01, 0.7, 0.5, np.nan])
    assert proxy.variances(spread, 4.0, 2.0).tolist() == pytest.approx([0.16, 0.0016, 0.0016, 4, 4, 4])
    assert proxy.variances(spread[:1], 4.0, 1.5).tolist() == pytest.approx([0.09])


def test_three_measurements_are_the_proxys_weight() -> None:
    assert proxy.joined(np.array([1.0]), np.array([1.0]), np.array([2.0])).tolist() == [1.75]
    assert proxy.joined(np.array([1.0]), np.array([9.0]), np.array([2.0])).tolist() == [1.25]
    assert proxy.joined(np.array([7.0]), np.array([0.0]), np.array([2.0])).tolist() == [2.0]


def test_against_the_points_of_all_strata_the_proxy_counts_as_twenty() -> None:
    """Of two strata with 4 and 6 degrees of freedom; what was measured whole, of weight 0, tells nothing."""
    expected, weights = np.array([1.0, 2.0, 5.0]), np.array([0.5, 0.25, 0.0])
    degrees = np.array([4.0, 6.0, 90.0])
    found = proxy.calibrated(expected, np.array([3.0, 6.0, 0.0]), degrees, weights)
    assert found.tolist() == pytest.approx((expected * (20 + 10 * 3) / 30).tolist())
    none = proxy.calibrated(expected, np.zeros(3), degrees, weights)
    assert none.tolist() == pytest.approx((expected * 20 / 30).tolist())
    many = proxy.calibrated(expected, np.zeros(3), 10 * degrees, weights)
    assert many.tolist() == pytest.approx((expected * proxy.OF_ERROR_BARS.least).tolist())
    planned = proxy.calibrated(expected, np.zeros(3), degrees, weights, proxy.OF_PLANS)
    assert planned.tolist() == pytest.approx((expected * 0.25).tolist())


def test_what_is_planned_by_is_drawn_from_both_sides() -> None:
    found = proxy.drawn(np.array([1.0, 9.0]), np.array([3.0, 3.0]), np.full(2, 4.0))
    assert found.tolist() == [2.5, 6.5]
