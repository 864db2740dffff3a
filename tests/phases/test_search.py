"""Which k is evaluated, and which taken."""

from __future__ import annotations

import pytest
from tests.reference import kmeans as twin

from phasemark import _core
from phasemark.phases import search

# Of a run of SimPoint 3.2, in its order of evaluation.
SCORES = {1: 1545.38, 30: 1421.44, 15: 1666.15, 8: 1800.91, 4: 1680.60, 6: 1681.84, 7: 1739.38}


def test_the_threshold_is_a_part_of_the_range_not_of_the_maximum() -> None:
    assert search.score_bar(SCORES, 0.9) == pytest.approx(1762.96, abs=0.005)
    assert search.choose(SCORES, 0.9) == 8
    assert search.choose(SCORES, 1.0) == 8
    assert search.choose(SCORES, 0.0) == 1


def test_equal_scores_take_the_smallest_k() -> None:
    assert search.choose({4: 0.1, 2: 0.1, 3: 0.1}, 0.9) == 2


def test_the_binary_search_goes_simpoints_way() -> None:
    assert list(search.binary(30, 0.9, SCORES.__getitem__)) == list(SCORES)


def test_of_intervals_of_variable_length_no_more_phases_than_their_square_root() -> None:
    assert [search.most_variable(n, 30) for n in (1, 3, 99, 100, 899, 10**6)] == [1, 1, 9, 10, 29, 30]


@pytest.mark.parametrize("max_k", range(1, 40))
@pytest.mark.parametrize("shape", [1, -1, 0])
def test_the_binary_search_ends(max_k, shape) -> None:
    scores = search.binary(max_k, 0.9, lambda k: float(shape * k))
    assert {1, max_k} <= scores.keys() <= set(range(1, max_k + 1))


def test_every_step() -> None:
    assert search.every(7, 3) == [1, 4, 7]
    assert search.every(3) == [1, 2, 3]


@pytest.mark.parametrize("bic", [_core.bic, twin.bic])
def test_the_score_of_a_known_clustering(bic) -> None:
    import numpy as np

    assert bic(285.249 / 500, np.array([1.0]), 15, 500, 1e-12) == pytest.approx(1568.10, abs=0.005)
