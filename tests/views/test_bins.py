"""Rows gathered in bins: none is lost, and what a bin shows is counted by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.views import bins


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


def test_rows_of_unlike_length_are_cut_into_bins_of_like_length() -> None:
    lengths = np.array([10, 1, 1, 1, 7, 10, 5, 5])
    breaks = np.arange(8) == 0
    assert bins.cut(breaks, 4, lengths).tolist() == [0, 1, 5, 6, 8]
    breaks[6] = True
    assert bins.cut(breaks, 2, lengths).tolist() == [0, 5, 6, 8]
    # With room for all, each is its own; and nothing is left out of lengths that are 0.
    assert bins.cut(breaks, 8, lengths).tolist() == list(range(9))
    assert bins.cut(breaks, 4, 0 * lengths)[-1] == 8
