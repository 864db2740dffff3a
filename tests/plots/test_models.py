"""The figure of models side by side."""

from __future__ import annotations

from dataclasses import replace

from tests.views import comparisons, synthetic

from phasemark import plots


def test_likelihoods_and_errors_have_a_panel_each() -> None:
    run = replace(synthetic.run(), compared=comparisons.compared())
    panels = plots.figure(run, "models").axes
    assert [axes.get_title(loc="left") for axes in panels] == [
        "log likelihood",
        "error against likelihood, obs-model-dist-1 and epm1",
        "error, cluster-center and epm1",
        "error, max-posterior and epm2",
    ]
    assert [line.get_label() for line in panels[0].lines] == ["simpoint projected", "hmm full"]
    assert panels[3].lines[1].get_xydata()[1].tolist() == [6, 5]
    assert panels[1].get_ylabel() == "mean error of CPI of an interval, %"


def test_without_estimates_there_are_likelihoods_alone() -> None:
    run = replace(synthetic.run(), compared=replace(comparisons.compared(), points=()))
    (axes,) = plots.figure(run, "models").axes
    assert axes.get_xlabel() == "states asked for"
