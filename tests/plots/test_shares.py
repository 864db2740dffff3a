"""The figure of the phases' shares."""

from __future__ import annotations

import pytest
from tests.views import counted, synthetic

from phasemark import plots


def test_a_bar_is_a_phase_s_share_with_its_intervals() -> None:
    (axes,) = plots.figure(counted.run(), "shares").axes
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([3000 / 93, 1300 / 93, 5000 / 93])
    assert [text.get_text() for text in axes.texts] == [
        "32.3%, 3 intervals",
        "14.0%, 2 intervals",
        "53.8%, 2 intervals",
    ]
    assert [text.xy[1] for text in axes.texts] == [0, 1, 2]
    assert axes.get_xlim()[1] > 5000 / 93 and axes.get_ylim()[0] > axes.get_ylim()[1]


def test_one_interval_is_said_as_one() -> None:
    (axes,) = plots.figure(synthetic.run((0,)), "shares").axes
    assert [text.get_text() for text in axes.texts] == ["100.0%, 1 interval"]
