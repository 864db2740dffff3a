"""What chose the number of phases, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.model import Phases
from phasemark.views.scores import Threshold, scores


def phases(bic: dict[int, float], inertia: dict[int, float], **model: object) -> Phases:
    return Phases(np.array([0, 1], np.int32), np.eye(2), np.zeros(2), bic, inertia, model)


def test_scores_come_by_k_with_the_threshold_between_worst_and_best() -> None:
    shown = scores(phases({4: 30.0, 1: 10.0, 2: 26.0}, {1: 9.0, 4: 2.0}, threshold=0.75))
    assert (shown.k, shown.score, shown.inertia) == ([1, 2, 4], [10, 26, 30], [9, None, 2])
    assert shown.threshold == Threshold(0.75, 25.0) and shown.chosen == 2


@pytest.mark.parametrize(("bic", "model"), [({2: 5.0}, {"threshold": 0.9}), ({1: 1.0, 2: 5.0}, {})])
def test_a_given_k_or_another_choice_has_no_threshold(bic, model) -> None:
    assert scores(phases(bic, {}, **model)).threshold is None


def test_two_scores_are_enough_for_a_threshold() -> None:
    assert scores(phases({1: 1.0, 2: 5.0}, {}, threshold=1)).threshold == Threshold(1.0, 5.0)


def test_a_model_may_have_no_scores() -> None:
    shown = scores(phases({}, {}))
    assert (shown.k, shown.score, shown.inertia, shown.threshold) == ([], [], [], None)
