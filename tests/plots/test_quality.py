"""The figure of quality against k."""

from __future__ import annotations

import numpy as np
import pytest
from tests.views import counted, synthetic

from phasemark import plots


def test_quality_is_drawn_against_k_with_the_chosen_one() -> None:
    cov, cim = plots.figure(synthetic.run((0, 1, 2), metrics=True), "quality").axes
    assert np.array(cov.lines[0].get_ydata()) == pytest.approx([50, 20, 3])
    assert np.array(cim.lines[0].get_ydata()).tolist() == [9, 3, 0.4]
    assert cov.lines[-1].get_xdata() == [3, 3] and cim.get_ylabel() == "CIM of a sample of 30, %"


def test_metrics_that_lie_far_apart_are_drawn_by_magnitude() -> None:
    near = {"k": [1, 2], "cov": [0.5, 0.2], "cim": [9.0, 3.0]}
    far = {"k": [1, 2], "cov": [0.5, 0.001], "cim": [9.0, 3.0]}
    cov, cim = plots.figure(counted.run(against_k={"cpi": near, "epi": far}), "quality").axes
    assert (cov.get_yscale(), cim.get_yscale()) == ("log", "linear")
    assert cim.get_ylim()[0] == 0
    # The run's 3 phases were not compared.
    assert len(cov.lines) == 2
    assert cov.get_xlabel() == cim.get_xlabel() == "k, phases; 3, as chosen, is beyond"


def test_a_line_breaks_where_magnitudes_show_no_0() -> None:
    of_k = {"k": [1, 2, 3], "cov": [0.5, 0.0, 0.001], "cim": [9.0, 0.0, 3.0]}
    cov, cim = plots.figure(counted.run(against_k={"cpi": of_k}), "quality").axes
    assert np.isnan(cov.lines[0].get_ydata()).tolist() == [False, True, False]
    assert cim.lines[0].get_ydata().tolist() == [9, 0, 3] and cim.get_xlabel() == "k, phases"
