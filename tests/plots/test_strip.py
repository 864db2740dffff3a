"""The figure of phases over the run."""

from __future__ import annotations

from matplotlib.colors import to_hex
from tests.views import counted, synthetic

from phasemark import plots
from phasemark.views.palette import colours


def test_the_strip_has_a_stretch_for_every_change_of_phase() -> None:
    axes = plots.figure(synthetic.run((0, 0, 1, 0, 2, 2)), "strip").axes[0]
    stretches = [len(lane.get_paths()) for lane in axes.collections]
    assert stretches == [2, 1, 1]


def test_a_panel_is_a_thread_with_its_points_on_their_phases_lanes() -> None:
    first, second = plots.figure(counted.run(), "strip").axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["thread 0", "thread 3"]
    assert first.lines[0].get_xydata().tolist() == [[15, 0], [41.5, 1]]
    assert second.lines[0].get_xydata().tolist() == [[35, 2]]
    assert first.get_xlim() == (0, 50) and first.get_ylim() == (2.5, -0.5)
    lane = first.collections[1].get_paths()[0].get_extents()
    assert (lane.x0, lane.x1, (lane.y0 + lane.y1) / 2) == (20, 30, 1)
    assert second.get_xlabel() == "instructions of the thread"


def test_a_run_of_one_thread_needs_no_titles() -> None:
    (axes,) = plots.figure(synthetic.run((0, 1)), "strip").axes
    assert (axes.get_title(loc="left"), axes.get_xlabel()) == ("", "instructions")
    assert axes.get_xlim() == (0, 1_500_000)


def test_a_lane_has_its_phase_s_colour() -> None:
    (axes,) = plots.figure(synthetic.run((0, 1, 2)), "strip").axes
    assert [to_hex(lane.get_facecolor()[0]) for lane in axes.collections] == colours(3)


def test_the_lane_of_the_transition_is_called_so() -> None:
    for kind in ("strip", "shares"):
        figure = plots.figure(synthetic.tracked(synthetic.run((0, 1, 2))), kind)
        figure.draw_without_rendering()
        assert [label.get_text() for label in figure.axes[0].get_yticklabels() if label.get_text()] == [
            *("transition", "1", "2")
        ]
