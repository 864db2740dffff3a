"""Errors of estimates against what was measured."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np
import pytest
from tests.reference import estimate as slow

from phasemark import estimates
from phasemark.errors import DataError
from phasemark.estimates import interval_error, relative_error

NAN = math.nan


@pytest.mark.parametrize("errors", [estimates, slow], ids=["phasemark", "slow"])
def test_errors_by_hand(errors: ModuleType) -> None:
    assert errors.relative_error([1, 4, 5], [2, 3, 4]) == pytest.approx(0.1)
    assert errors.interval_error([1, 4, 5], [2, 3, 4]) == pytest.approx((1 + 0.25 + 0.2) / 3)


def test_errors_are_those_of_the_slow_twin() -> None:
    true, guess = np.random.default_rng(5).uniform(0.5, 4, (2, 200))
    assert interval_error(true, guess) == pytest.approx(slow.interval_error(true, guess), rel=1e-12)
    assert relative_error(true, guess) == pytest.approx(slow.relative_error(true, guess), rel=1e-12)


def test_errors_do_not_hide_what_is_missing() -> None:
    assert math.isnan(relative_error([1, NAN], [1, 1])) and math.isnan(interval_error([1, 2], [1, NAN]))
    assert math.isnan(interval_error([0, 1], [1, 1])) and math.isnan(relative_error([0], [1]))
    assert math.isnan(interval_error([], []))
    with pytest.raises(DataError, match="2 measured and 1 estimated"):
        relative_error([1, 2], [1])
