"""Signatures refuse what breaks their invariants; show themselves; come as a table."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Intervals, Recipe, Signatures

RECIPE = Recipe("l1", "uniform", 2, 7, "id")
ROWS = [[0.0, 1.0], [0.5, 0.25]]


@pytest.mark.parametrize(
    ("matrix", "weights", "message"),
    [
        ([0.0, 1.0], [1.0], "the signature matrix has 1 dimensions instead of 2"),
        ([[0.0], [np.nan]], [0.5, 0.5], "row 1: the signature matrix holds a value that is not finite"),
        ([[np.inf], [0.0]], [0.5, 0.5], "row 0: the signature matrix holds a value that is not finite"),
        (ROWS, [1.0], "column weights has 1 row instead of 2"),
        (ROWS, [1.5, -0.5], "row 1: a weight of the signatures is negative or not a number"),
        (ROWS, [1.0, np.nan], "row 1: a weight of the signatures is negative or not a number"),
        (ROWS, [0.5, 0.25], "the weights of the signatures sum to 0.75 instead of 1"),
    ],
)
def test_what_breaks_an_invariant_is_refused(matrix, weights, message) -> None:
    with pytest.raises(DataError, match=message):
        Signatures(matrix, weights, RECIPE)


def test_arrays_cannot_be_written_to() -> None:
    made = Signatures(ROWS, [0.25, 0.75], RECIPE)
    for name in ("matrix", "weights"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(made, name)[0] = 0


def test_shows_itself_in_a_line() -> None:
    made = Signatures(ROWS, [0.25, 0.75], RECIPE)
    assert repr(made) == "<Signatures: intervals=2, dims=2, projection=uniform, seed=7>"
    plain = Signatures(ROWS, [0.25, 0.75], dataclasses.replace(RECIPE, projection="none"))
    assert repr(plain) == "<Signatures: intervals=2, dims=2, projection=none>"


def test_comes_as_a_table_alone_or_beside_its_intervals() -> None:
    made = Signatures(ROWS, [0.25, 0.75], RECIPE)
    assert made.frame().to_dict("list") == {"weight": [0.25, 0.75], "x0": [0.0, 0.5], "x1": [1.0, 0.25]}
    beside = made.frame(Intervals.of_thread([10, 30]))
    assert beside["length"].tolist() == [10, 30] and beside["x1"].tolist() == [1.0, 0.25]
    with pytest.raises(DataError, match="2 rows for 1 interval"):
        made.frame(Intervals.of_thread([10]))
