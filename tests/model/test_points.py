"""Points are intervals with a weight; what cannot be is refused, with its row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Points

COLUMNS: dict[str, Any] = {
    "run": [0, 0],
    "thread": [0, 1],
    "interval": [4, 2],
    "phase": [1, 0],
    "start": [40, 15],
    "end": [50, 27],
    "warmup": [40, 0],
    "weight": [0.25, 0.75],
}


def points(**changed: Any) -> Points:
    return Points(**{**COLUMNS, **changed})


def test_points_of_any_threads_and_lengths() -> None:
    table = points()
    assert len(table) == 2 and table.instructions == 22
    assert table.population.tolist() == [0, 0] and np.isnan(table.spread).all()
    assert (table.coverage, table.method) == (1.0, "nearest")
    assert len(Points(*([] for _ in range(8)))) == 0  # type: ignore[arg-type]


def test_columns_have_their_types() -> None:
    dtypes = {"run": "i4", "thread": "i4", "interval": "i8", "phase": "i4", "start": "i8", "end": "i8"}
    dtypes |= {"warmup": "i8", "weight": "f8", "population": "i8", "spread": "f8"}
    assert {name: values.dtype for name, values in points().frame().items()} == {
        name: np.dtype(dtype) for name, dtype in dtypes.items()
    }


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"end": [50, 15]}, "row 1: a point has no instruction"),
        ({"end": [39, 27]}, "row 0: a point has no instruction"),
        ({"start": [-1, 15], "warmup": [0, 0]}, "row 0: a point starts or warms up before instruction 0"),
        ({"warmup": [0, -1]}, "row 1: a point starts or warms up before instruction 0"),
        ({"warmup": [41, 0]}, "row 0: a warm-up reaches back before instruction 0"),
        ({"weight": [0.25, 0.7]}, "sum to 0.95 instead of 1"),
        ({"weight": [-0.25, 1.25]}, "row 0: a weight of the points is negative"),
        ({"weight": [np.nan, 1.0]}, "row 0: a weight of the points is negative or not a number"),
        ({"population": [3, -1]}, "row 1: a point was chosen from less than no interval"),
        ({"population": [2.5, 1]}, "row 0: column population holds no whole number"),
        ({"spread": [0.1, -0.1]}, "row 1: a spread is negative"),
        ({"coverage": 1.1}, "coverage 1.1 is not between 0 and 1"),
        ({"coverage": -0.1}, "coverage -0.1 is not between 0 and 1"),
        ({"coverage": float("nan")}, "coverage nan is not between 0 and 1"),
        ({"interval": [4.5, 2]}, "row 0: column interval holds no whole number"),
        ({"run": [-1, 0]}, "row 0: a run, thread, interval or phase is negative"),
        ({"thread": [0, -1]}, "row 1: a run, thread, interval or phase is negative"),
        ({"interval": [-4, 2]}, "row 0: a run, thread, interval or phase is negative"),
        ({"phase": [1, -1]}, "row 1: a run, thread, interval or phase is negative"),
        ({"check": [1, -1]}, "row 1: a point is drawn less than never to be checked"),
        ({"check": [2**20 + 1, 1]}, "row 0: a point is drawn more than 1,048,576 times to be checked"),
        ({"phase": [1]}, "column phase has 1 row instead of 2"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        points(**changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"signature": 5}, "the signature is '5', not its name"),
        ({"balanced": 1.5}, "the number of balanced points is '1.5', no whole number"),
        ({"balanced": "1"}, "the number of balanced points is '1', no whole number"),
        ({"balanced": True}, "the number of balanced points is 'True', no whole number"),
        ({"balanced": 3}, "3 of 2 points are balanced"),
        ({"balanced": 2, "strata": [0, 1], "guard": [1, 0], "weight": [0, 1]}, "2 of 1 point are balanced"),
    ],
)
def test_what_is_said_of_the_sample_makes_sense(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        points(**changed)
    assert str(caught.value).splitlines()[0] == message
    assert type(points(balanced=np.int64(2)).balanced) is int


def test_what_just_can_be_is_taken() -> None:
    table = points(weight=[0.0, 1.0], spread=[0.0, np.nan], coverage=0.0, warmup=[40, 15], population=[0, 1])
    assert table.spread[0] == 0 and table.coverage == 0
    first = points(
        interval=[0, 0], phase=[0, 0], start=[0, 0], end=[1, 1], warmup=[0, 0], coverage=1.0 + 1e-9
    )
    assert first.instructions == 2


def test_what_a_point_was_chosen_from_depends_on_the_method() -> None:
    assert points().stratum.tolist() == [1, 0]
    for method in ("random", "systematic", "start", "skip"):
        assert points(method=method).stratum.tolist() == [0, 0]


def test_points_show_themselves_in_a_line_and_in_a_notebook_as_a_table() -> None:
    assert repr(points()) == "<Points: points=2, method=nearest, instructions=22, coverage=1>"
    assert "<table" in points()._repr_html_()
    assert points(coverage=0.5).frame().attrs == {"method": "nearest", "coverage": 0.5}
