"""How messages quote what stands in files."""

from __future__ import annotations

import pytest

from phasemark.errors import DataError, named, printable, shown


@pytest.mark.parametrize(
    "value, text",
    [
        ("abc", "'abc'"),
        ("a\x1b[2J\n", "'a\\x1b[2J\\n'"),
        (b"\xff\0x", "'\\\\xff\\x00x'"),
        (7, "7"),
        ([1, 2], "[1, 2]"),
        ("x" * 5000, repr("x" * 60) + "... (5,000 characters)"),
        ([0] * 1000, "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,... (3,000 characters)"),
    ],
)
def test_a_value_is_quoted_in_few_characters(value: object, text: str) -> None:
    assert shown(value) == text


def test_a_number_of_more_digits_than_python_writes() -> None:
    assert shown(10**5000) == "a value (int) of very many digits or parts"


def test_a_value_of_values_without_end() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    assert "parts" in shown(value)


def test_names_move_no_cursor_and_are_text() -> None:
    assert printable("a\x1b[2Jb\udcffc\n\u202e") == "a\\x1b[2Jb\\xffc\n\\u202e"
    assert printable("naïve \u2026") == "naïve \u2026"
    assert str(DataError("bad", path="a\x1bb")) == "a\\x1bb: bad"


def test_of_many_names_the_first_are_named() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named((f"c{i}" for i in range(20_000)), 3) == "c0, c1, c2 and 19,997 more"
    assert len(named(["x" * 10_000])) < 100
