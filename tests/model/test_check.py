"""Columns of values take what their type can hold, whatever it comes in, and refuse the rest by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from phasemark.errors import DataError
from phasemark.model import _check


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2], np.int32),
        ([1.0, 2.0], np.int64),
        ([True, False], np.int8),
        (np.array([1, 2], np.uint64), np.int64),
        (np.array([1, 2], object), np.uint64),
        (pd.array([1, 2], "Int64"), np.int64),
        (pd.Series([1.5, 2], dtype="float32"), np.float64),
        ([1, 2], np.float64),
        ((), np.int64),
        ([], np.float64),
        ([-(2**31), 2**31 - 1], np.int32),
        ([-(2.0**63)], np.int64),
        ([2**63, 2**64 - 1], np.uint64),
        ([-128.0, 127.0], np.int8),
        (np.arange(10)[::2], np.int64),
    ],
)
def test_what_a_column_can_hold_it_holds(values: Any, dtype: type) -> None:
    column = _check.column("c", values, dtype, len(values))
    assert column.dtype == dtype and column.tolist() == list(values)
    assert column.flags.c_contiguous and not column.flags.writeable


@pytest.mark.parametrize(
    ("values", "dtype", "message"),
    [
        ([0, 9.5], np.int64, "row 1: column c holds no whole number"),
        ([0, np.nan], np.int64, "row 1: column c holds no whole number"),
        ([np.inf], np.uint64, "row 0: column c holds no whole number"),
        ([-0.5], np.uint64, "row 0: column c holds no whole number"),
        ([3, -1], np.uint64, "row 1: column c holds a negative number"),
        ([3.0, 1.0, -1.0], np.uint64, "row 2: column c holds a negative number"),
        ([0, 2**31], np.int32, "row 1: column c holds a number beyond int32"),
        ([0, 1, -(2**31) - 1], np.int32, "row 2: column c holds a number beyond int32"),
        ([128], np.int8, "row 0: column c holds a number beyond int8"),
        ([2.0**63], np.int64, "row 0: column c holds a number beyond int64"),
        ([2.0**64], np.uint64, "row 0: column c holds a number beyond uint64"),
        ([1, 2**63], np.int64, "row 1: column c holds a number beyond int64"),
        ([2**70], np.int64, "column c holds something else than numbers"),
        (["1"], np.int64, "column c holds something else than numbers"),
        ([None], np.float64, "column c holds something else than numbers"),
        ([1j], np.float64, "column c holds something else than numbers"),
        ([[1], [2, 3]], np.int64, "column c is no array"),
        ([[1], [2]], np.int64, "column c has 2 dimensions instead of 1"),
        (3, np.int64, "column c has 0 dimensions instead of 1"),
    ],
)
def test_what_a_column_cannot_hold_is_refused(values: Any, dtype: type, message: str) -> None:
    with pytest.raises(DataError) as caught:
        _check.column("c", values, dtype)
    assert str(caught.value).startswith(message)


def test_a_column_is_as_long_as_the_others() -> None:
    for length in (1, 3):
        with pytest.raises(DataError, match=rf"^column c has 2 rows instead of {length}$"):
            _check.column("c", [1, 2], np.int64, length)
    with pytest.raises(DataError, match=r"^column c has 1 row instead of 0$"):
        _check.column("c", [1], np.int64, 0)


def test_what_is_right_already_is_not_copied_and_stays_the_givers() -> None:
    given = np.array([1, 2])
    column = _check.column("c", given, np.int64)
    assert np.shares_memory(column, given) and given.flags.writeable
    given = np.ones((2, 2))
    assert np.shares_memory(_check.matrix("m", given), given) and given.flags.writeable


def test_a_matrix_is_of_finite_doubles_in_rows() -> None:
    matrix = _check.matrix("m", np.array([[1, 2], [3, 4], [5, 6]], np.int8, order="F"), 3)
    assert matrix.dtype == np.float64 and matrix.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert matrix.flags.c_contiguous and not matrix.flags.writeable
    assert _check.matrix("m", np.empty((0, 3)), 0).shape == (0, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0], "m has 1 dimensions instead of 2"),
        ([[[1.0]]], "m has 3 dimensions instead of 2"),
        ([[1.0], [2.0]], "m has 2 rows instead of 3"),
        ([[1.0]] * 4, "m has 4 rows instead of 3"),
        ([[1.0, 2.0], [0.0, np.nan], [0.0, 0.0]], "row 1: m holds a value that is not finite"),
        ([[1.0], [2.0], [-np.inf]], "row 2: m holds a value that is not finite"),
        ([["a"]], "m holds something else than numbers"),
        ([[1.0], [1.0, 2.0]], "m is no array"),
    ],
)
def test_what_is_no_such_matrix_is_refused(values: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        _check.matrix("m", values, 3)
    assert str(caught.value).startswith(message)


def test_the_first_bad_row_is_named() -> None:
    with pytest.raises(DataError, match=r"^row 1: bad\n  hint: do better$"):
        _check.require(np.array([True, False, False, True]), "bad", "do better")
    _check.require(np.array([True]), "bad")
    _check.require(np.array([], np.bool_), "bad")


def test_weights_sum_to_one() -> None:
    for weights in ([0.25, 0.75], [1.0, 0.0], [], [1 + 0.9e-6], [1 - 0.9e-6]):
        _check.require_weights(np.array(weights, np.float64), "points")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, 0.4], "the weights of the points sum to 0.9 instead of 1"),
        ([1 + 1.1e-6], "the weights of the points sum to 1.0000011 instead of 1"),
        ([1 - 1.1e-6], "the weights of the points sum to 0.9999989 instead of 1"),
        ([0.0], "the weights of the points sum to 0 instead of 1"),
        ([1.1, -0.1], "row 1: a weight of the points is negative or not a number"),
        ([np.nan, 1.0], "row 0: a weight of the points is negative or not a number"),
        ([1.0, np.inf], "row 1: a weight of the points is negative or not a number"),
    ],
)
def test_what_are_no_weights_is_refused(weights: list[float], message: str) -> None:
    with pytest.raises(DataError) as caught:
        _check.require_weights(np.array(weights), "points")
    assert str(caught.value) == message
