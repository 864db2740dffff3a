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
