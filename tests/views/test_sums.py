"""Sums over groups of intervals and places of blocks, of counts that are held or streamed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.views.matrices import MATRICES
from tests.views.synthetic import counts_of

from phasemark.model import Counts
from phasemark.model.streamed import StreamedCounts
from phasemark.views import sums
from phasemark.views.sums import Grouping


def one_by_one(counts: Counts) -> StreamedCounts:
    """The same counts, a row at a time."""

    def rows() -> Iterator[Counts]:
        for row in range(len(counts)):
            yield counts.select(np.array([row]))

    return StreamedCounts(counts.indptr, counts.columns, rows)


@given(MATRICES, st.data())
@settings(deadline=None)
def test_sums_are_those_of_the_dense_matrix(dense, data) -> None:
    n, columns = dense.shape
    group = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 2)))
    place = data.draw(hnp.arrays(np.int64, columns, elements=st.integers(0, 3)))
    wanted = [Grouping(group, 3), Grouping(group, 3, place, 4)]
    expected = [np.zeros((3, columns), np.int64), np.zeros((3, 4), np.int64)]
    for row, column in np.ndindex(n, columns):
        expected[0][group[row], column] += int(dense[row, column])
        expected[1][group[row], place[column]] += int(dense[row, column])
    held = counts_of(dense)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_PATIENCE", 1)  # added up often
        for counts in (held, one_by_one(held)):
            found = sums.gathered(counts, *wanted)
            assert all((f.to_scipy().toarray() == e).all() for f, e in zip(found, expected, strict=True))


def test_sums_of_groups_are_kept_for_the_same_groups() -> None:
    counts = counts_of(np.array([[1, 2], [3, 0], [0, 4]]))
    one, other = np.array([0, 1, 0], np.int32), np.array([1, 1, 0], np.int32)
    kept = sums.of_groups(counts, one, 2)
    assert kept.to_scipy().toarray().tolist() == [[1, 6], [3, 0]]
    assert sums.of_groups(counts, one, 2) is kept
    assert sums.of_groups(counts, other, 2).to_scipy().toarray().tolist() == [[0, 4], [4, 2]]
    assert len(sums.of_groups(counts, other, 3)) == 3
