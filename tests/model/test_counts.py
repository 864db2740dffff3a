"""Counts: a sparse matrix of whole numbers above 0, columns ascending in each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from phasemark.errors import DataError
from phasemark.model import Counts

#: Rows of every length, the first and the last of them empty.
INDPTR, INDICES, DATA = [0, 0, 2, 2, 3, 6, 6], [0, 3, 1, 0, 2, 3], [6, 4, 5, 1, 1, 2]
DENSE = [[0, 0, 0, 0], [6, 0, 0, 4], [0, 0, 0, 0], [0, 5, 0, 0], [1, 0, 1, 2], [0, 0, 0, 0]]


def of(indptr: Any = INDPTR, indices: Any = INDICES, data: Any = DATA, columns: int = 4) -> Counts:
    return Counts(indptr, indices, data, columns)


def test_arrays_have_their_types() -> None:
    counts = of()
    for name, dtype, values in (
        ("indptr", np.int64, INDPTR),
        ("indices", np.int32, INDICES),
        ("data", np.int64, DATA),
    ):
        array = getattr(counts, name)
        assert array.dtype == dtype and array.tolist() == values and not array.flags.writeable
    assert len(counts) == 6 and counts.columns == 4
    assert repr(counts) == "<Counts: rows=6, columns=4, counts=6>"


def test_sums_and_the_matrix_are_those_of_the_rows() -> None:
    counts = of()
    assert counts.to_scipy().toarray().tolist() == DENSE
    assert counts.to_scipy().dtype == np.int64
    assert counts.row_sums().tolist() == [0, 10, 0, 5, 4, 0]
    assert counts.column_sums().tolist() == [7, 5, 1, 6]
    assert counts.row_sums().dtype == counts.column_sums().dtype == np.int64


def test_a_matrix_may_be_empty() -> None:
    none = of([0], [], [], 3)
    assert len(none) == 0 and none.row_sums().tolist() == [] and none.column_sums().tolist() == [0, 0, 0]
    assert none.to_scipy().shape == (0, 3)
    assert of([0, 0], [], [], 0).row_sums().tolist() == [0]
    assert of([0, 0, 0], [], [], 3).select(np.array([1, 0])).row_sums().tolist() == [0, 0]


@pytest.mark.parametrize("rows", [[1], [4, 1], [0, 5], [1, 1, 1], [], [5, 4, 3, 2, 1, 0]])
def test_rows_are_selected_in_the_order_given(rows: list[int]) -> None:
    chosen = of().select(np.array(rows, np.int64))
    assert chosen.to_scipy().toarray().tolist() == [DENSE[row] for row in rows]
    assert chosen.columns == 4


@settings(deadline=None)
@given(arrays.arrays(np.int64, (5, 4), elements=st.sampled_from([0, 0, 1, 2**61])))
def test_any_matrix_comes_back(dense: np.ndarray) -> None:
    rows, columns = np.nonzero(dense)
    indptr = np.searchsorted(rows, np.arange(6))
    counts = of(indptr, columns, dense[rows, columns])
    assert (counts.to_scipy().toarray() == dense).all()
    assert counts.row_sums().tolist() == dense.sum(axis=1).tolist()
    assert counts.column_sums().tolist() == dense.sum(axis=0).tolist()
    assert (counts.select(np.arange(5)[::-1]).to_scipy().toarray() == dense[::-1]).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"indptr": []}, "row pointers do not span the counts"),
        ({"indptr": [0]}, "row pointers do not span the counts"),
        ({"indptr": [1, 6]}, "row pointers do not span the counts"),
        ({"indptr": [0, 5]}, "row pointers do not span the counts"),
        ({"indptr": [0, 7]}, "row pointers do not span the counts"),
        ({"indptr": [0, 3, 2, 6]}, "row 1: row pointers fall"),
        ({"indptr": [0, 3, 7, 6]}, "row 2: row pointers fall"),
        ({"data": DATA[:5]}, "column data has 5 rows instead of 6"),
        ({"data": [*DATA, 1]}, "column data has 7 rows instead of 6"),
        ({"data": [6, 4, 5, 1, 1.5, 2]}, "row 4: column data holds no whole number"),
        ({"indices": [0, 3, 1, 0, 2, 4]}, "row 4: a count names a block that is not there"),
        ({"indices": [-1, 3, 1, 0, 2, 3]}, "row 1: a count names a block that is not there"),
        ({"indices": [0, 3, 2**31, 0, 2, 3]}, "row 2: column indices holds a number beyond int32"),
        ({"data": [6, 4, 0, 1, 1, 2]}, "row 3: a stored count is not above 0"),
        ({"data": [6, 4, 5, 1, 1, -2]}, "row 4: a stored count is not above 0"),
        ({"indices": [3, 0, 1, 0, 2, 3]}, "row 1: the blocks of a row are not in ascending order, each once"),
        ({"indices": [3, 3, 1, 0, 2, 3]}, "row 1: the blocks of a row are not in ascending order, each once"),
        ({"indices": [0, 3, 1, 0, 3, 2]}, "row 4: the blocks of a row are not in ascending order, each once"),
        ({"indices": [0, 3, 1, 2, 0, 3]}, "row 4: the blocks of a row are not in ascending order, each once"),
    ],
)
def test_what_is_no_such_matrix_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        of(**changed)
    assert str(caught.value) == message
