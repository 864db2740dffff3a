"""What the texts of options mean."""

from __future__ import annotations

import pytest

from phasemark.cli import options
from phasemark.errors import UsageError


def test_shares() -> None:
    shares = ("2%", "0.02", "95%", "100%", "1", "-3%", "150%", "0")
    assert [options.share("--coverage", text) for text in shares] == [
        0.02,
        0.02,
        0.95,
        1.0,
        1.0,
        -0.03,
        1.5,
        0.0,
    ]


@pytest.mark.parametrize("text", ["", "%", "much", "nan", "inf%", "2 percent", "1%%"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no share\n  hint: write 2% or 0\.02"):
        options.share("--coverage", text)


@pytest.mark.parametrize(
    ("text", "hint"), [("2", "2%, or 0.02"), ("95", "95%, or 0.95"), ("1.5", "1.5%, or 0.015")]
)
def test_more_than_the_whole_needs_a_percent_sign(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"{text} is more than the whole\n  hint: write {hint}"):
        options.share("--coverage", text)


def test_a_step_of_the_search_is_a_number() -> None:
    assert [options.search(text) for text in ("all", "binary", "5", "-5")] == ["all", "binary", 5, "-5"]
