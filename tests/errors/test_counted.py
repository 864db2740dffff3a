"""Counts and their nouns."""

from __future__ import annotations

from phasemark.errors import counted


def test_one_is_not_many() -> None:
    assert [counted(n, "interval") for n in (0, 1, 2, 1000)] == [
        "0 intervals", "1 interval", "2 intervals", "1,000 intervals",
    ]  # fmt: skip
    assert (counted(1, "process", "processes"), counted(3, "process", "processes")) == (
        "1 process", "3 processes",
    )  # fmt: skip
