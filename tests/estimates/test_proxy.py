"""The proxy of the deviation within a phase, where little was measured."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.estimates import proxy


def test_a_variance_that_was_measured_is_raised_never_lowered() -> None:
    measured, degrees = np.array([1.0, 9.0, 0.0]), np.array([3.0, 3.0, 0.0])
    assert proxy.joined(measured, degrees, np.full(3, 4.0)).tolist() == [2.5, 9.0, 4.0]


def test_the_variance_expected_of_a_phase() -> None:
    """3 x spread x the run's deviation; at least as of a spread of 1%, at most all; unknown: all."""
    spread = np.array([0.1, 0.0, 0.01, 0.5, 1 / 3, np.nan])
    assert proxy.variances(spread, 4.0).tolist() == pytest.approx([0.36, 0.0036, 0.0036, 4, 4, 4])
    assert proxy.variances(spread[:1], 4.0, 1.5).tolist() == pytest.approx([0.09])


def test_three_measurements_are_the_proxys_weight() -> None:
    assert proxy.joined(np.array([1.0]), np.array([1.0]), np.array([2.0])).tolist() == [1.75]
    assert proxy.joined(np.array([1.0]), np.array([9.0]), np.array([2.0])).tolist() == [1.25]
    assert proxy.joined(np.array([7.0]), np.array([0.0]), np.array([2.0])).tolist() == [2.0]
