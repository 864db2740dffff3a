"""The figure of estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import synthetic

from phasemark import plots
from phasemark.views import MetricEstimate


def test_estimates_are_drawn_in_percent_of_the_full_run() -> None:
    axes = plots.figure(synthetic.run(metrics=True), "estimate").axes[0]
    _, bar, value, unbounded = axes.lines
    assert np.array(bar.get_xdata()) == pytest.approx([100 * (1.8 / 2.1 - 1), 100 * (2.2 / 2.1 - 1)])
    assert np.array(value.get_xdata()) == pytest.approx([100 * (2 / 2.1 - 1)])
    assert unbounded.get_markerfacecolor() == "white" and np.array(unbounded.get_xdata()).tolist() == [0]


def test_estimates_say_what_they_are_in_percent_of() -> None:
    made = synthetic.run(metrics=True)
    known = plots.figure(made, "estimate").axes[0]
    assert known.get_xlabel() == "estimate against the full run, %"
    assert [label.get_text() for label in known.get_yticklabels()] == ["cpi  2", "l1d_mpki  6"]
    alone = replace(made, estimates=(MetricEstimate("cpi", 2.0, 1.8, 2.2),))
    axes = plots.figure(alone, "estimate").axes[0]
    assert axes.get_xlabel() == "confidence interval, % of the estimate"
    _, bar, value = axes.lines
    assert np.array(bar.get_xdata()) == pytest.approx([-10, 10]) and bar.get_ydata()[0] == 0
    assert value.get_markerfacecolor() == value.get_color()
