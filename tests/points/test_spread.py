"""The spread of phases: how far their intervals lie from the centres."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.model import Intervals, Phases
from phasemark.points import spread_of


def test_spread_is_the_distance_within_beside_that_of_the_whole() -> None:
    """Two phases at -1 and +1 of weights 1/4 and 3/4: the run's centre is at 1/2, squares between .75."""
    phases = Phases([0, 1, 1, 1], [[-1.0], [1.0]], [0.0, 0.0, 0.5, 0.5])
    found = spread_of(phases, np.ones(4))
    within = np.array([0.0, 0.5 / 3])
    whole = 0.5 / 4 + 0.75
    assert found.tolist() == pytest.approx(np.sqrt(within / whole).tolist())


def test_intervals_all_alike_have_no_spread() -> None:
    assert spread_of(Phases([0, 0], [[1.0]], [0.0, 0.0]), np.ones(2)).tolist() == [0.0]


def test_one_phase_has_the_spread_of_the_whole() -> None:
    phases = Phases([0, 0], [[0.0]], [2.0, 2.0])
    assert spread_of(phases, np.ones(2)).tolist() == [1.0]


def test_a_model_may_tell_the_distances_were_all_one_phase() -> None:
    """Squares within 0 and 1, of the run as one (4 + 4 + 1 + 7) / 4."""
    phases = Phases([0, 0, 1, 1], None, [0.0, 0.0, 1.0, 1.0], undivided=[2.0, 2.0, 1.0, np.sqrt(7)])
    assert spread_of(phases, np.ones(4)).tolist() == pytest.approx([0, 0.5])
    assert spread_of(phases, [0, 0, 3, 1]).tolist() == pytest.approx([0, 1 / np.sqrt(2.5)])


def test_without_centres_or_those_distances_it_is_not_known() -> None:
    assert np.isnan(spread_of(Phases([0, 1], None, [0.0, 1.0]), np.ones(2))).all()


def test_weights_are_instructions_of_what_has_them() -> None:
    intervals = Intervals.of_thread([10, 30, 10])
    phases = Phases([0, 0, 1], [[0.0], [3.0]], [0.0, 1.0, 0.0])
    assert spread_of(phases, intervals).tolist() == spread_of(phases, [10, 30, 10]).tolist()
