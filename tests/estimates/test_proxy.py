"""The proxy of the deviation within a phase, where little was measured."""

from __future__ import annotations

import numpy as np

from phasemark.estimates import proxy


def test_a_variance_that_was_measured_is_raised_never_lowered() -> None:
    measured, degrees = np.array([1.0, 9.0, 0.0]), np.array([3.0, 3.0, 0.0])
    assert proxy.joined(measured, degrees, np.full(3, 4.0)).tolist() == [2.5, 9.0, 4.0]
