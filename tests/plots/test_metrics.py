"""The figure of metrics over the run."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted, synthetic

from phasemark import plots


def test_metrics_are_drawn_under_the_strip_with_gaps_where_they_are_missing() -> None:
    run = synthetic.run((0, 1, 0, 1, 2), threads=2, metrics=True)
    panels = plots.figure(run, "metrics").axes
    assert [axes.get_title(loc="left") for axes in panels[1:]] == [
        "CPI", "L1D miss rate", "L1D misses per 1000 instructions",
    ]  # fmt: skip
    line, points = panels[1].lines
    x, y = line.get_data()
    assert np.array(x[:4]).tolist() == [0, 1e6, 1e6, 2e6]
    assert np.array(y[:6]).tolist() == [1, 1, 2.1, 2.1, 1, 1] and np.isnan(y[6:8]).all()
    assert np.array(points.get_ydata()).tolist() == [1, 2.1, 3]
    assert panels[-1].get_xlabel() == "instructions of thread 0"


def test_metrics_are_of_the_longest_thread_from_0_to_its_end() -> None:
    metrics = counted.metrics([1, 1, 1, 1, 1, 2, 4])
    strip, cpi = plots.figure(counted.run(metrics=metrics), "metrics").axes
    assert cpi.get_xlim() == (0, 50) and cpi.get_xlabel() == "instructions of thread 3"
    assert cpi.get_ylim() == pytest.approx((0, 4 * 1.08))
    assert [len(lane.get_paths()) for lane in strip.collections] == [0, 0, 1]
    assert cpi.lines[1].get_xydata().tolist() == [[35, 4]]


def test_a_metric_that_is_nowhere_measured_has_an_empty_panel() -> None:
    metrics = counted.metrics([1, 1, 1, 1, 1, np.nan, np.nan])
    _, cpi = plots.figure(counted.run(metrics=metrics), "metrics").axes
    assert cpi.get_ylim() == (0, 1)


def test_a_run_of_one_thread_needs_no_thread_s_name() -> None:
    panels = plots.figure(synthetic.run((0, 1), metrics=True), "metrics").axes
    assert panels[-1].get_xlabel() == "instructions"
