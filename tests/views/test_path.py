"""The run in three dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.model import Recipe, Signatures
from phasemark.views import path


def signatures(matrix) -> Signatures:
    n = len(matrix)
    return Signatures(matrix, np.full(n, 1 / n), Recipe("l1", "uniform", matrix.shape[1], 1, "id"))


def test_three_dimensions_are_kept_whole() -> None:
    matrix = np.zeros((30, 15))
    matrix[:, [2, 7, 11]] = np.random.default_rng(2).standard_normal((30, 3))
    found = path.trajectory(signatures(matrix))
    assert found.kept == pytest.approx(1.0)
    for i in range(29):
        near = np.linalg.norm(found.points[i] - found.points[i + 1])
        assert near == pytest.approx(np.linalg.norm(matrix[i] - matrix[i + 1]))


def test_a_bin_lies_at_the_mean_of_its_intervals() -> None:
    made = path.Path3(
        np.array([[0.0, 0, 0], [2, 4, 6], [1, 1, 1], [4, 0, 0], [1, 2, 5]]), 1.0, np.full(5, 0.2)
    )
    places = made.in_bins(np.array([0, 2, 5]))
    assert places.tolist() == [pytest.approx([1, 2, 3]), pytest.approx([2, 1, 2])]
    uneven = path.Path3(made.points, 1.0, np.array([0.5, 0.1, 0, 0, 0]))
    assert uneven.in_bins(np.array([0, 2, 5])).tolist() == [pytest.approx([1 / 3, 2 / 3, 1]), [0, 0, 0]]
    assert path.Path3(np.zeros((0, 3)), 1.0, np.zeros(0)).in_bins(np.zeros(1, np.int64)).shape == (0, 3)


def test_the_share_that_is_kept_is_that_of_the_three_widest_axes() -> None:
    # Four axes with variances 1, 1/4, 1/9, 1/16, up to a common factor.
    matrix = np.concatenate([np.diag([1, 1 / 2, 1 / 3, 1 / 4]), -np.diag([1, 1 / 2, 1 / 3, 1 / 4])])
    widest = 1 + 1 / 4 + 1 / 9
    assert path.trajectory(signatures(matrix)).kept == pytest.approx(widest / (widest + 1 / 16))


@pytest.mark.parametrize("dims", [1, 2, 15])
def test_equal_intervals_and_few_dimensions_have_a_path(dims) -> None:
    found = path.trajectory(signatures(np.ones((4, dims))))
    assert found.points.tolist() == [[0.0] * 3] * 4
    assert found.kept == 1.0
