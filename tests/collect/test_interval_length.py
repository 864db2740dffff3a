"""Interval lengths as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasemark.collect.interval_length import parse, suggested, written
from phasemark.errors import UsageError


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("10k", 10_000),
        ("10K", 10_000),
        ("1M", 1_000_000),
        ("1.5M", 1_500_000),
        ("100m", 100_000_000),
        ("2G", 2_000_000_000),
        ("100_000", 100_000),
        ("1", 1),
        ("AUTO", "auto"),
    ],
)
def test_it_reads(text: str, length: int | str) -> None:
    assert parse(text) == length


@pytest.mark.parametrize("text", ["", "0", "-1", "k", "1.5", "0.0001k", "10kk", "1e6", "ten", "9999999G"])
def test_it_refuses(text: str) -> None:
    with pytest.raises(UsageError, match="no interval length"):
        parse(text)


@given(st.integers(1, 10**15))
def test_what_is_written_is_read_back(length: int) -> None:
    assert parse(written(length)) == length


@pytest.mark.parametrize(
    ("instructions", "length"),
    [
        (500, 1),
        (80_000, 100),
        (150_000, 10_000),
        (10**7, 10_000),
        (10**9, 1_000_000),
        (3 * 10**11, 5 * 10**8),
    ],
)
def test_the_suggestion_is_round_and_gives_about_1000_intervals(instructions: int, length: int) -> None:
    assert suggested(instructions) == length
