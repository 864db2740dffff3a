"""Numbers as text."""

from __future__ import annotations

import math

from phasemark.cli.printing import text


def test_numbers_have_four_digits() -> None:
    numbers = (math.nan, 0.0, 1.23456, 123456.0, 2.0)
    assert [text.number(number) for number in numbers] == ["-", "0", "1.235", "1.235e+05", "2"]


def test_json_has_no_number_that_is_not_bounded() -> None:
    values = (1.5, 3, "text", None, math.nan, math.inf, -math.inf)
    assert [text.finite(value) for value in values] == [1.5, 3, "text", None, None, None, None]
