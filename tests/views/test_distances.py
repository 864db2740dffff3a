"""The similarity matrix, against its slow twin and by its properties."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import manhattan as slow_manhattan
from tests.views.matrices import MATRICES
from tests.views.synthetic import counts_of

from phasemark.model import Recipe, Signatures
from phasemark.views import bins, distances


@given(MATRICES, st.integers(1, 9))
@settings(deadline=None)
def test_distances_equal_the_slow_twins(dense, limit) -> None:
    first = np.arange(len(dense)) == 0
    bounds = bins.cut(first, limit)
    fast = distances.manhattan(counts_of(dense), bounds)
    slow = slow_manhattan.manhattan(dense.tolist(), bounds.tolist())
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


def test_many_blocks_are_measured_in_parts_without_a_seam(monkeypatch) -> None:
    dense = np.random.default_rng(1).poisson(0.4, (12, 50))
    bounds = np.arange(13)
    whole = distances.manhattan(counts_of(dense), bounds)
    monkeypatch.setattr(distances, "_COLUMNS", 7)
    np.testing.assert_allclose(distances.manhattan(counts_of(dense), bounds), whole, atol=1e-12)


def test_distance_is_0_for_the_same_mix_and_2_for_other_code() -> None:
    dense = np.array([[2, 4, 0], [1, 2, 0], [0, 0, 9]])
    far = distances.manhattan(counts_of(dense), np.arange(4))
    assert far.tolist() == [[0, 0, 2], [0, 0, 2], [2, 2, 0]]


def test_distances_of_signatures_are_between_the_means_of_bins_by_weight() -> None:
    recipe = Recipe("l1", "uniform", 2, 1, "id")
    # Two intervals with a mean at (3, 0), one without weight, which is at (0, 0), and one at (3, 4).
    made = Signatures([[0, 0], [4, 0], [7, 7], [3, 4]], [0.1, 0.3, 0.0, 0.6], recipe)
    upper = distances.between_signatures(made, np.array([0, 2, 3, 4]))
    np.testing.assert_allclose(upper, [3, 4, 5])
    assert len(distances.between_signatures(made, np.array([0, 4]))) == 0
    assert len(distances.between_signatures(made, np.array([0]))) == 0
