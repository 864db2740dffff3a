"""Stretches of one phase, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted

from phasemark.views.strip import stretches, strip
from phasemark.views.threads import threads


def test_a_strip_has_a_lane_a_phase_and_the_thread_s_own_points() -> None:
    analysis = counted.run()
    first, second = (strip(analysis, t) for t in threads(analysis.profile))
    assert first.lanes == [[(0, 20), (30, 10)], [(20, 10), (40, 3)], []]
    assert (first.middles.tolist(), first.phases.tolist()) == ([15, 41.5], [0, 1])
    assert second.lanes == [[], [], [(0, 50)]]
    assert (second.middles.tolist(), second.phases.tolist()) == ([35], [2])


@pytest.mark.parametrize(
    ("member", "expected"),
    [("0000", []), ("1111", [(0, 10)]), ("1001", [(0, 1), (6, 4)]), ("0110", [(1, 5)])],
)
def test_neighbours_make_one_stretch(member, expected) -> None:
    length = np.array([1, 2, 3, 4])
    assert stretches(np.cumsum(length) - length, length, np.array(list(member)) == "1") == expected
