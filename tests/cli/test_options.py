"""What the texts of options mean."""

from __future__ import annotations

import pytest

from phasemark.cli import options
from phasemark.errors import UsageError


def test_shares() -> None:
    shares = ("2%", "0.02", "95%", "100%", "1", "-3%", "150")
    assert [options.share(text) for text in shares] == [0.02, 0.02, 0.95, 1.0, 1.0, -0.03, 150.0]


@pytest.mark.parametrize("text", ["", "%", "much", "nan", "inf%", "2 percent", "1%%"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no share\n  hint: write 2% or 0\.02"):
        options.share(text)


def test_a_step_of_the_search_is_a_number() -> None:
    assert [options.search(text) for text in ("all", "binary", "5", "-5")] == ["all", "binary", 5, "-5"]
