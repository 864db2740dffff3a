"""What `phasemark phases --stability` prints, to the letter."""

from __future__ import annotations

import numpy as np

from phasemark.cli.printing import stability as shown
from phasemark.phases import Outcome, Stability

COMPARED = Stability.of(
    [
        Outcome(5, np.array([0, 0, 1, 1]), frozenset({1, 2})),
        Outcome(6, np.array([0, 0, 1, 1]), frozenset({1, 3})),
        Outcome(12, np.array([0, 1, 2, 2]), frozenset({1, 2, 3})),
    ]
)


def test_a_line_a_seed_and_one_over_all() -> None:
    assert shown.lines(COMPARED) == [
        "    seed    k  agreement with other seeds (lowest)  points  shared with others",
        "       5    2                       0.786   (0.571)       2                 50%",
        "       6    2                       0.786   (0.571)       2                 50%",
        "      12    3                       0.571   (0.571)       3                 67%",
        "",
        "k from 2 to 3; labels agree to 0.714 on average, 0.571 at worst (adjusted Rand index, 1: the same "
        "phases); two seeds share 56% of their points",
    ]


def test_as_json() -> None:
    third = 4 / 7
    summary = shown.summary(COMPARED)
    assert np.allclose(summary.pop("agreement"), [[1, 1, third], [1, 1, third], [third, third, 1]])
    assert np.allclose(summary.pop("shared"), [[1, 1 / 3, 2 / 3], [1 / 3, 1, 2 / 3], [2 / 3, 2 / 3, 1]])
    assert summary == {"seeds": [5, 6, 12], "k": [2, 2, 3], "points": [2, 2, 3]}
