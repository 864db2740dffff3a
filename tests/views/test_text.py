"""Tables as text."""

from __future__ import annotations

import math

import pytest

from phasemark.views import text


def test_errors_that_round_to_nothing_have_no_sign() -> None:
    errors = (-1e-9, 1e-9, 0, 0.0001, -0.0001, 0.012, -0.5)
    assert [text.error(error) for error in errors] == [
        "0.00%",
        "0.00%",
        "0.00%",
        "+0.01%",
        "-0.01%",
        "+1.20%",
        "-50.00%",
    ]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [["name", "n", "what"], ["a", "1,000", ""], ["longer", "2", "x"]]
    assert text.aligned(rows) == ["name        n  what", "a       1,000", "longer      2     x"]
    assert text.aligned(rows, left=(0, 2)) == ["name        n  what", "a       1,000", "longer      2  x"]
    assert text.aligned(rows, left=()) == ["  name      n  what", "     a  1,000", "longer      2     x"]
    with pytest.raises(ValueError, match="zip"):
        text.aligned([["a", "b"], ["c"]])


def test_columns_that_do_not_fit_stand_below_beside_what_rows_are_of() -> None:
    rows = [["k", "one", "two", "much too wide"], ["1", "a", "b", "c"]]
    assert text.folded(rows, 99) == text.aligned(rows)
    apart = ["k  one", "1    a", "", "k  two", "1    b", "", "k  much too wide", "1              c"]
    assert text.folded(rows, 8) == apart
    assert text.folded(rows, 11)[:3] == ["k  one  two", "1    a    b", ""]


def test_columns_that_belong_together_are_in_one_table_if_they_fit() -> None:
    rows = [["k", "a", "b", "c", "d", "e"], ["1", *"vwxyz"]]
    assert text.folded(rows, 99, groups=(1, 2, 2)) == text.aligned(rows)
    three = text.folded(rows, 11, groups=(1, 2, 2))
    assert three == ["k  a  b  c", "1  v  w  x", "", "k  d  e", "1  y  z"]
    assert text.folded(rows, 7, groups=(1, 2, 2))[::3] == ["k  a", "k  b  c", "k  d  e"]
    assert text.folded(rows, 4, groups=(1, 2, 2))[::3] == [f"k  {name}" for name in "abcde"]


def test_percentages_have_more_digits_below_ten() -> None:
    shares = (math.nan, 0.0, 0.0123456, -0.0999, 0.1, -0.1, 0.55555, 2.0)
    assert [text.percent(share) for share in shares] == [
        "-",
        "0.00%",
        "1.23%",
        "-9.99%",
        "10.0%",
        "-10.0%",
        "55.6%",
        "200.0%",
    ]
