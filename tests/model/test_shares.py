"""Shares as text: never 100% of less than all, never 0% of what is there."""

from __future__ import annotations

import pytest

from phasemark.model import shares


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.0, "100.00%"),
        (1 - 1e-15, "100.00%"),
        (0.99996, "99.996%"),
        (0.9999999, "99.99999%"),
        (0.99994, "99.99%"),
        (0.9, "90.00%"),
        (0.00005, "0.01%"),
        (0.00004, "<0.01%"),
        (1e-300, "<0.01%"),
        (0.0, "0.00%"),
    ],
)
def test_the_whole_alone_is_the_whole(share: float, text: str) -> None:
    assert shares.written(share) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.95, "95%"), (0.999, "99.9%"), (0.9973, "99.73%"), (0.5, "50%")]
)
def test_a_confidence_is_that_which_was_asked_for(share: float, text: str) -> None:
    assert shares.confidence(share) == text
