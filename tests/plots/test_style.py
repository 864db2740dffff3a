"""How figures are labelled and saved."""

from __future__ import annotations

import pytest

from phasemark.errors import UsageError
from phasemark.plots import style


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (999, "999"), (1000, "1 k"), (1234567, "1.235 M"), (2e9, "2 G"), (1e12, "1 T"),
        (-5e6, "-5 M"),
    ],
)  # fmt: skip
def test_instructions_are_said_in_thousands_and_millions(value, text) -> None:
    assert style.count(value) == text


@pytest.mark.parametrize(("path", "ending"), [("a.svg", "svg"), ("b/a.PNG", "png"), ("a.b.pdf", "pdf")])
def test_the_file_s_ending_names_the_format(path, ending) -> None:
    assert style.form(path) == ending


@pytest.mark.parametrize(("path", "said"), [("a.gif", "as gif"), ("a", "as a file without an ending")])
def test_another_ending_is_refused(path, said) -> None:
    with pytest.raises(UsageError, match=said):
        style.form(path)


def test_ticks_are_on_whole_numbers() -> None:
    assert style.whole_numbers().tick_values(1, 3).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("size", "inches"),
    [
        ("1200x400", (6, 2)), ("7x2.5in", (7, 2.5)), ("25.4 x 5.08cm", (10, 2)), ("254X50.8mm", (10, 2)),
    ],
)  # fmt: skip
def test_a_size_is_in_dots_or_has_a_unit(size, inches) -> None:
    assert style.inches(size, 200) == pytest.approx(inches)


@pytest.mark.parametrize(
    "size", ["", "7", "x", "7x", "7x2pt", "-7x2in", "1e3x2in", "nanxinf", "7x2x1", "9" * 5000]
)
def test_what_is_no_size_is_refused_briefly(size) -> None:
    with pytest.raises(UsageError, match="no size of a figure") as caught:
        style.inches(size, 200)
    assert len(str(caught.value)) < 200 and "1200x400" in (caught.value.hint or "")


@pytest.mark.parametrize("size", ["7x2", "0x3in", "101x2in", "999999x999999"])
def test_a_size_that_cannot_be_drawn_is_refused(size) -> None:
    with pytest.raises(UsageError, match="inches") as caught:
        style.inches(size, 200)
    assert "from 0.5 to 100" in (caught.value.hint or "")


@pytest.mark.parametrize("dpi", [0, 9, 1201, float("nan"), float("inf"), -200])
def test_dots_that_make_no_sense_are_refused(dpi) -> None:
    with pytest.raises(UsageError, match="dots an inch"):
        style.require_dpi(dpi)
