"""The figure of a metric on the levels of the hierarchy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import counted, nested

from phasemark import plots
from phasemark.errors import DataError, UsageError


def test_a_panel_a_level_the_coarsest_on_top_and_what_was_measured_below() -> None:
    panels = plots.figure(nested.run(), "hierarchy").axes
    titles = [axes.get_title(loc="left") for axes in panels]
    assert titles[0] == "level 0, 5 intervals" and titles[1] == "level 1, 10 intervals"
    assert titles[-1] == "as chosen, 1,284 intervals" and len(titles) == 6
    assert all(axes.get_ylim() == panels[0].get_ylim() for axes in panels)


def test_levels_have_means_by_instructions() -> None:
    run = nested.with_hierarchy(counted.run(metrics=counted.metrics([1, 2, 1, 2, 1, 2, 4])))
    whole, intervals, measured = plots.figure(run, "hierarchy").axes
    # Thread 3, of 20 and 30 instructions: (20 x 2 + 30 x 4) / 50.
    assert whole.lines[0].get_xydata().tolist() == [[0, 3.2], [50, 3.2]]
    assert intervals.lines[0].get_xydata().tolist() == [[0, 2], [20, 2], [20, 4], [50, 4]]
    assert measured.lines[0].get_xydata().tolist() == intervals.lines[0].get_xydata().tolist()
    assert whole.get_title(loc="left") == "level 0, 1 interval"


def test_intervals_of_fixed_length_stand_at_the_bottom() -> None:
    run = nested.beside_fixed(nested.with_hierarchy(counted.run()), 10)
    *_, lowest = plots.figure(run, "hierarchy").axes
    assert lowest.get_title(loc="left") == "fixed length, 5 intervals"


def test_one_metric_at_a_time() -> None:
    run = nested.run()
    assert plots.figure(run, "hierarchy", metrics=["l1d_mpki"]).get_supylabel().startswith("L1D")
    with pytest.raises(UsageError, match="one metric"):
        plots.figure(run, "hierarchy", metrics=["cpi", "l1d_mpki"])
    with pytest.raises(DataError, match="no metrics of the intervals"):
        plots.figure(replace(run, metrics=None), "hierarchy")


def test_what_was_not_measured_is_a_gap() -> None:
    run = nested.with_hierarchy(counted.run(metrics=counted.metrics([1, 1, 1, 1, 1, np.nan, 4])))
    whole, intervals, _ = plots.figure(run, "hierarchy").axes
    assert whole.lines[0].get_ydata().tolist() == [4, 4]
    assert np.isnan(intervals.lines[0].get_ydata()[:2]).all()


def test_each_panel_that_is_cut_off_says_so() -> None:
    run = nested.run()
    assert run.metrics is not None
    cpi = np.ones(len(run.metrics))
    cpi[700] = 1000
    metrics = replace(run.metrics, counters={"cycles": cpi * run.metrics.length})
    panels = plots.figure(replace(run, metrics=metrics), "hierarchy").axes
    titles = [axes.get_title(loc="left") for axes in panels]
    assert all("; cut off, up to " in title for title in titles)
    assert titles[-1] == "as chosen, 1,284 intervals; cut off, up to 1e+03"
    assert titles[0] != titles[-1] and not titles[0].endswith("1e+03")
