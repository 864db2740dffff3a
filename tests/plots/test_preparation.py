"""What figures and page show, against slow twins and by its properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.plots.synthetic import counts_of
from tests.reference import hottest as slow_hottest
from tests.reference import manhattan as slow_manhattan

from phasemark.model import Blocks, Recipe, Signatures
from phasemark.views import bins, distances, hottest, path
from phasemark.views.palette import COLOURS, colours

MATRICES = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 6)
)


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


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.integers(1, 90))
@settings(deadline=None)
def test_bins_tile_the_rows_and_keep_the_breaks(threads, limit) -> None:
    breaks = np.concatenate([np.arange(size) == 0 for size in threads])
    bounds = bins.cut(breaks, limit)
    assert bounds[0] == 0
    assert bounds[-1] == len(breaks)
    assert (np.diff(bounds) > 0).all()
    assert set(np.flatnonzero(breaks)) <= set(bounds.tolist())
    assert len(bounds) - 1 <= max(limit, 0) + len(threads)
    if len(breaks) <= limit:
        assert len(bounds) - 1 == len(breaks)


def test_no_rows_make_no_bins() -> None:
    assert bins.cut(np.zeros(0, bool), 10).tolist() == [0]


def test_a_bin_has_the_phase_with_most_instructions() -> None:
    bounds, labels = np.array([0, 3, 5]), np.array([0, 1, 1, 2, 1], np.int32)
    assert bins.majority(bounds, labels, np.array([5.0, 1, 1, 2, 2])).tolist() == [0, 1]


@given(MATRICES, st.data())
@settings(deadline=None)
def test_hottest_places_equal_the_slow_twins(dense, data) -> None:
    n, columns = dense.shape
    groups = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 2)))
    of_block = data.draw(hnp.arrays(np.int64, columns, elements=st.integers(-1, 3)))
    places = hottest.Places([(str(i), "") for i in range(4)], of_block)
    fast = hottest.hottest(counts_of(dense), groups, places, 2)
    slow = slow_hottest.hottest(dense.tolist(), groups.tolist(), of_block.tolist(), 2)
    found = [
        [(p, s) for p, s in zip(row, shares, strict=True) if p >= 0]
        for row, shares in zip(fast.place.tolist(), fast.share.tolist(), strict=True)
    ]
    assert found == slow


def test_blocks_without_a_function_go_by_their_own_name() -> None:
    blocks = Blocks(
        ("/usr/bin/gzip", ""), [0, 0, 0, 1], [16, 32, 48, 9], [1] * 4, [1] * 4, [1, 2, 3, 17],
        function=("deflate", "deflate", "", ""),
    )  # fmt: skip
    places = hottest.functions(blocks)
    assert places.names == [("deflate", "gzip"), ("gzip+0x30", ""), ("block 17", "")]
    assert places.of_block.tolist() == [0, 0, 1, 2]
    assert hottest.lines(blocks).of_block.tolist() == [-1] * 4


@pytest.mark.parametrize("name", ["gzip+0x30", "gzip:0x30"])
def test_a_module_is_not_said_twice(name) -> None:
    blocks = Blocks(("/usr/bin/gzip",), [0], [48], [1], [1], function=(name,))
    assert hottest.functions(blocks).names == [(name, "")]


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


@pytest.mark.parametrize("dims", [1, 2, 15])
def test_equal_intervals_and_few_dimensions_have_a_path(dims) -> None:
    found = path.trajectory(signatures(np.ones((4, dims))))
    assert found.points.tolist() == [[0.0] * 3] * 4
    assert found.kept == 1.0


def test_colours_are_36_and_repeat() -> None:
    assert len(set(COLOURS)) == 36
    assert colours(38)[36:] == list(COLOURS[:2])


def test_any_two_of_the_first_30_colours_differ_for_colour_blind_eyes() -> None:
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in COLOURS[:30]]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    for seen in (np.eye(3), PROTANOPIA, DEUTERANOPIA):
        lab = np.cbrt(np.clip(linear @ np.array(seen).T, 0, 1) @ LMS.T) @ OKLAB.T
        apart = np.linalg.norm(lab[:, None] - lab[None, :], axis=2)[np.triu_indices(30, 1)]
        assert apart.min() > 0.035


# Machado, Oliveira, Fernandes 2009, severity 1; and OKLab (Ottosson 2020).
PROTANOPIA = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]
DEUTERANOPIA = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
