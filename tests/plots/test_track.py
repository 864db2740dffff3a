"""The figure of online phases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.colors import to_hex
from tests.views import synthetic

from phasemark import plots
from phasemark.model import Phases
from phasemark.plots.track import _GREY
from phasemark.views import Analysis
from phasemark.views.palette import colours
from phasemark.views.tracked import tracked


def run(labels: list[int], transition: int | None = 0) -> Analysis:
    """Six intervals in phases 0 0 1 1 2 2, and online phases of them."""
    model = {"method": "online", "transition": transition}
    online = Phases(np.array(labels, np.int32), None, np.zeros(len(labels)), model=model)
    return replace(synthetic.run((0, 0, 1, 1, 2, 2)), tracked=online)


def test_online_phases_stand_over_the_runs_own_in_their_colours() -> None:
    made = run([0, 1, 0, 2, 3, 3])
    assert tracked(made).partners == [None, 0, 1, 2]
    online, own, predictors = plots.figure(made, "track").axes
    assert [to_hex(lane.get_facecolor()[0]) for lane in online.collections] == [_GREY, *colours(3)]
    assert [len(lane.get_paths()) for lane in online.collections] == [2, 1, 1, 1]
    assert "grey in transition; adjusted Rand index 0." in online.get_title(loc="left")
    assert own.get_title(loc="left") == "phases of given" and len(own.collections) == 3
    assert predictors.get_yticklabels()[0].get_text() == "last"
    assert [bar.get_width() for bar in predictors.patches][:1] == [20.0], "one of five stays"


def test_where_the_runs_own_are_these_they_stand_once() -> None:
    online, _ = plots.figure(run([0, 0, 1, 1, 2, 2], None), "track").axes
    assert online.get_title(loc="left") == "online phases"
    assert [to_hex(lane.get_facecolor()[0]) for lane in online.collections] == colours(3)
