"""Errors of estimates against what was measured."""

from __future__ import annotations

import math

import pytest

from phasemark.errors import DataError
from phasemark.estimates import interval_error, relative_error

NAN = math.nan


def test_errors_by_hand() -> None:
    assert relative_error([1, 4, 5], [2, 3, 4]) == pytest.approx(0.1)
    assert interval_error([1, 4, 5], [2, 3, 4]) == pytest.approx((1 + 0.25 + 0.2) / 3)


def test_errors_do_not_hide_what_is_missing() -> None:
    assert math.isnan(relative_error([1, NAN], [1, 1])) and math.isnan(interval_error([1, 2], [1, NAN]))
    assert math.isnan(interval_error([0, 1], [1, 1])) and math.isnan(relative_error([0], [1]))
    assert math.isnan(interval_error([], []))
    with pytest.raises(DataError, match="2 measured and 1 estimated"):
        relative_error([1, 2], [1])
