"""The figure of what chose the number of phases."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import synthetic

from phasemark import plots


def test_scores_are_drawn_with_the_chosen_one_and_without_an_error_that_is_not_known() -> None:
    made = synthetic.run((0, 1, 2))
    bic, error = plots.figure(made, "scores").axes
    curve, chosen, threshold = bic.lines
    assert np.array(curve.get_xdata()).tolist() == list(range(1, 9))
    assert list(curve.get_ydata()) == [made.phases.scores[k] for k in range(1, 9)]
    assert (list(chosen.get_xdata()), list(chosen.get_ydata())) == ([3], [made.phases.scores[3]])
    low, high = min(made.phases.scores.values()), max(made.phases.scores.values())
    assert threshold.get_ydata()[0] == pytest.approx(low + 0.9 * (high - low))
    assert threshold.get_label() == "threshold 0.9"
    assert error.get_visible() and list(error.lines[0].get_ydata()) == [300 / k for k in range(1, 9)]
    made.phases.inertia.clear()
    assert [axes.get_visible() for axes in plots.figure(made, "scores").axes] == [True, False]
