"""points.csv: points come back with their method and coverage; older tables lack columns."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Points
from phasemark.store import points_csv, tables

COLUMNS: dict[str, Any] = {
    "run": [0, 0, 1],
    "thread": [0, 1, 0],
    "interval": [5, 6, 7],
    "phase": [2, 0, 1],
    "start": [50, 60, 70],
    "end": [59, 68, 77],
    "warmup": [1, 2, 3],
    "weight": [0.5, 0.3, 0.2],
    "population": [9, 8, 7],
    "spread": [0.25, np.nan, 1 / 3],
}
HEADER = "run,thread,interval,phase,start,end,warmup,weight"


def test_points_come_back(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    points_csv.write(path, Points(**COLUMNS, coverage=1 / 3, method="stratified"), made_by={"seed": 3})
    back = points_csv.read(path)
    for name, values in COLUMNS.items():
        np.testing.assert_array_equal(getattr(back, name), values)
    assert (back.coverage, back.method) == (1 / 3, "stratified")
    assert tables.header(path) == list(COLUMNS)
    comment = tables.comment(path)
    assert list(comment) == ["phasemark", "seed", "method", "unit", "coverage", "spread"]
    assert (comment["unit"], comment["spread"]) == ("instructions", "proxy from distances")
    assert path.read_text().splitlines()[2:4] == [
        "0,0,5,2,50,59,1,0.5,9,0.25",
        "0,1,6,0,60,68,2,0.3,8,",
    ]


def test_what_strata_were_found_in_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    told = Points(**COLUMNS, strata=[3, 4, 5], method="stratified", signature="code+behaviour", balanced=2)
    points_csv.write(path, told)
    back = points_csv.read(path)
    assert (back.signature, back.balanced) == ("code+behaviour", 2) and points_csv.holds(path, told)
    assert not points_csv.holds(path, dataclasses.replace(told, balanced=3))
    points_csv.write(path, dataclasses.replace(told, signature=None, balanced=0))
    assert not {"signature", "balanced"} & set(tables.comment(path))
    assert (points_csv.read(path).signature, points_csv.read(path).balanced) == (None, 0)


def test_where_no_spread_is_known_nothing_is_said_of_it(tmp_path: Path) -> None:
    points_csv.write(tmp_path / "points.csv", Points(**{**COLUMNS, "spread": None}))
    assert "spread" not in tables.comment(tmp_path / "points.csv")
    assert np.isnan(points_csv.read(tmp_path / "points.csv").spread).all()


def test_a_table_of_other_origin_needs_neither_comment_nor_the_last_columns(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(f"{HEADER}\n0,0,5,2,50,59,1,1\n")
    points = points_csv.read(path)
    assert (points.coverage, points.method) == (1.0, "nearest")
    assert points.population.tolist() == [0] and np.isnan(points.spread).all()
    path.write_text(f"# coverage: 0.5; method: random\n{HEADER},population\n0,0,5,2,50,59,1,1,12\n")
    points = points_csv.read(path)
    assert (points.coverage, points.method, points.population.tolist()) == (0.5, "random", [12])
    path.write_text(f"{HEADER},spread\n0,0,5,2,50,59,1,1,\n")
    assert np.isnan(points_csv.read(path).spread).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# coverage: much\n" + HEADER, ":1: its comment says that coverage is 'much', not a number"),
        ("# balanced: 1.5\n" + HEADER, ":1: its comment says that balanced is '1.5', not a whole number"),
        (f"# signature: blocks; balanced: 2\n{HEADER}\n0,0,5,2,50,59,1,1", ": 2 of 1 point are balanced"),
        (f"# balanced: -1\n{HEADER}\n0,0,5,2,50,59,1,1", ": -1 of 1 point are balanced"),
        ("# coverage: 2\n" + HEADER, ": coverage 2.0 is not between 0 and 1"),
        (f"{HEADER}\n0,0,5,2,50,50,1,1", ", row 0: a point has no instruction"),
        (f"{HEADER}\n0,0,5,2,50,59,1,x", ":2: weight is 'x', not a number"),
        (f"{HEADER},population\n0,0,5,2,50,59,1,1,", ":2: population is '', not a whole number"),
        (f"{HEADER},spread,spread\n0,0,5,2,50,59,1,1,2,2", ":1: column spread stands twice"),
        (HEADER.removesuffix(",weight"), ":1: column weight is missing"),
    ],
)
def test_a_bad_table_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text + "\n")
    with pytest.raises(DataError) as caught:
        points_csv.read(path)
    assert str(caught.value).startswith(f"{path}{message}")
