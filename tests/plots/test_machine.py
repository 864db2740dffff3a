"""The figures of states: the machine, and how sure the model is of each phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, PathPatch, Polygon
from tests.views import machines

from phasemark import plots
from phasemark.views.palette import colours, ink_on


def test_a_state_is_a_circle_in_its_phase_s_colour_and_says_what_it_does() -> None:
    (axes,) = plots.figure(machines.counted_by_hand(), "machine").axes
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert [to_hex(c.get_facecolor()) for c in circles if c.get_facecolor()[3]] == colours(3)
    assert len(circles) == 5  # two threads, which begin in two states
    said = [text.get_text() for text in axes.texts]
    assert {"copy  93%", "begins here; 32%, lasts 2 intervals", "begins here; 54%, to the end"} <= set(said)
    assert said[-1].endswith("not used.")


def said(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_arrows_are_drawn_from_a_tenth_on_and_say_how_often() -> None:
    run = machines.of_pattern([0] * 8 + [1, 0] * 30 + [1, 2, 0] * 5 + [2, 0])
    (axes,) = plots.figure(run, "machine").axes
    arrows = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    heads = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    # 0 -> 1 and 2 -> 0, (nearly) always; 1 -> 0 and 1 -> 2; not 0 -> 2, once in 36.
    assert len(arrows) == len(heads) == 4
    assert [text for text in said(axes) if text in ("97%", "100%", "3%", "86%", "14%")] == ["14%", "86%"]


def test_how_a_state_is_come_to_is_drawn_however_seldom_it_is() -> None:
    (axes,) = plots.figure(machines.of_pattern([0] * 8 + [1, 0] * 30 + [2, 0]), "machine").axes
    assert "3%" in said(axes)  # nothing else leads to state 2


def test_many_states_have_a_line_each() -> None:
    (axes,) = plots.figure(machines.of_pattern([*range(20)] * 3), "machine").axes
    assert sum(text.get_text().startswith(("0  ", "19  ")) for text in axes.texts) == 2


def test_the_posterior_is_stacked_under_the_curve() -> None:
    curve, probability = plots.figure(machines.of_pattern((0, 1, 0), metrics=True), "posterior").axes
    assert curve.get_title(loc="left") == "CPI"
    lower, upper = probability.collections
    assert [to_hex(of.get_facecolor()[0]) for of in (lower, upper)] == colours(2)
    corners = {tuple(np.round(at, 9)) for at in lower.get_paths()[0].vertices}
    assert {(0, 0.9), (1e6, 0.9), (1e6, 0.1), (2.5e6, 0.9)} <= corners
    assert probability.get_title(loc="left").endswith("below 90% in 0 of 3 intervals")


def test_without_metrics_the_posterior_stands_alone() -> None:
    run = machines.of_pattern((0, 1, 0))
    unsure = replace(run.phases, posterior=[[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]])
    (axes,) = plots.figure(replace(run, phases=unsure), "posterior").axes
    assert "1 of 3 intervals" in axes.get_title(loc="left")


@pytest.mark.parametrize(
    ("colour", "ink"), [("#3c72c3", "#ffffff"), ("#c3b1f9", "#14181e"), ("#57577b", "#ffffff")]
)
def test_what_stands_on_a_colour_can_be_read(colour: str, ink: str) -> None:
    assert ink_on(colour) == ink
