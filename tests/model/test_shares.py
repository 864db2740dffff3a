"""Shares as text: never 100% of less than all, never 0% of what is there."""

from __future__ import annotations

import pytest

from phasemark.model import Estimate, Points, shares


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


@pytest.mark.parametrize("share", [1 - 2.3e-16, 1 + 2.3e-16, 0.9999999999999989])
def test_a_whole_is_1_however_its_parts_were_rounded(share: float) -> None:
    points = Points([0], [0], [0], [0], [0], [5], [0], [1.0], coverage=share)
    estimate = Estimate(
        {"cpi": 1.0}, {"cpi": 0.1}, {"cpi": (0.5, 2.0)}, {"cpi": 1.0}, {"cpi": share}, {"cpi": ()}
    )
    assert points.coverage == estimate.coverage["cpi"] == 1.0


def test_what_lacks_an_instruction_is_no_whole() -> None:
    assert shares.whole(1 - 1e-11) == 1 - 1e-11 and shares.whole(0.5) == 0.5
