"""The figure of threads side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_hex
from tests.parallel.test_scaling import runs
from tests.parallel.threads import cycles_of
from tests.views.threaded import analysis_of, many

from phasemark import plots
from phasemark.errors import DataError
from phasemark.views.palette import colours


def boxes(axes: object) -> list[tuple[float, ...]]:
    """(lane, start, end) of every rectangle."""
    found = []
    for collection in axes.collections:  # type: ignore[attr-defined]
        for path in collection.get_paths():
            extent = path.get_extents()
            found.append((round((extent.y0 + extent.y1) / 2, 3), extent.x0, extent.x1))
    return sorted(found)


def test_a_panel_is_a_run_and_a_lane_a_thread() -> None:
    first, second = plots.figure(analysis_of(*runs(0, 2)), "lanes").axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["run 0: 1 thread", "run 1: 3 threads"]
    assert boxes(first) == [(0, 0, 40), (0, 40, 100)]
    assert boxes(second) == [(0, 0, 40), (0, 40, 100), (1, 40, 100), (2, 40, 100)]
    assert [to_hex(one.get_facecolor()[0]) for one in second.collections] == colours(2)
    assert second.get_xlim() == (0, 100) and second.get_ylim() == (2.5, -0.5)
    assert second.get_xlabel() == "instructions of all threads"


def test_a_single_run_has_its_metrics_beneath_in_lanes() -> None:
    profile, phases = runs(2)
    made = analysis_of(profile, phases, cycles_of(profile, [80, 60, np.nan, 30]))
    panels = [axes for axes in plots.figure(made, "lanes").axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["3 threads", "CPI"]
    # What was not measured is white.
    assert boxes(panels[1]) == [(0, 0, 40), (0, 40, 100), (2, 40, 100)]
    asked = plots.figure(made, "lanes", metrics=["cycles"]).axes[1]
    assert asked.get_title(loc="left") == "cycles per instruction"
    with pytest.raises(DataError, match="no metrics of the intervals"):
        plots.figure(analysis_of(profile, phases), "lanes", metrics=["cpi"])


def test_of_several_runs_metrics_are_shown_where_they_are_asked_for() -> None:
    profile, phases = runs(0, 2)
    made = analysis_of(profile, phases, cycles_of(profile, [80, 60, 80, 30, 30, 30]))
    assert len([axes for axes in plots.figure(made, "lanes").axes if axes.get_title(loc="left")]) == 2
    asked = plots.figure(made, "lanes", metrics=["cpi"]).axes
    assert [axes.get_title(loc="left") for axes in asked if axes.get_title(loc="left")][1::2] == [
        "CPI",
        "CPI",
    ]


def test_64_lanes_of_many_stretches_stay_a_small_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phasemark.plots.lanes._MOST", 40)
    (axes,) = plots.figure(many(64, 100), "lanes").axes
    each = np.bincount([int(lane) for lane, _, _ in boxes(axes)])
    assert len(each) == 64 and 10 < each.max() <= 40
    assert axes.figure.get_size_inches()[1] < 8


def test_it_is_drawn_where_there_are_several_threads_and_a_clock() -> None:
    profile, phases = runs(0, 2)
    assert {"lanes", "scaling"} <= set(plots.possible(analysis_of(profile, phases)))
    assert not {"lanes", "scaling"} & set(plots.possible(analysis_of(*runs(0))))
    assert "scaling" not in plots.possible(analysis_of(*runs(2)))
    untimed = replace(profile, interval_table=replace(profile.interval_table, began=None, ended=None))
    assert not {"lanes", "scaling"} & set(plots.possible(analysis_of(untimed, phases)))
    with pytest.raises(DataError, match="nothing says when"):
        plots.figure(analysis_of(untimed, phases), "lanes")


def test_no_more_lanes_are_named_than_can_be_read() -> None:
    for threads, named in ((24, 24), (25, 13), (400, 13)):
        panel = plots.figure(many(threads, 10), "lanes").axes[0]
        assert len(panel.get_yticklabels()) == named
