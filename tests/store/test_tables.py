"""Tables: what is written is read again, to the bit; a bad one is named by file and line."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import phasemark
from phasemark.errors import DataError, WorkError
from phasemark.store import tables

TABLE: dict[str, Any] = {
    "name": ["plain", "a, b", 'say "so"', "caf\udce9"],
    "count": np.array([0, 1, -5, 2**63 - 1]),
    "value": [0.1, 1e-300, -1 / 3, math.inf],
}
TYPES = {"name": str, "count": int, "value": float}


def test_a_table_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    tables.write(path, TABLE, made_by={"seed": 3})
    assert tables.read(path, TYPES) == {name: list(values) for name, values in TABLE.items()}
    assert tables.header(path) == ["name", "count", "value"]
    assert [type(row[0]) for row in tables.read(path, TYPES).values()] == [str, int, float]


def test_a_table_is_text_that_says_what_made_it(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    tables.write(path, {"a": [1, 2], "b": np.array([0.5, 2.0])}, made_by={"command": "x;y\nz", "seed": 3})
    version = phasemark.__version__
    assert path.read_text() == f"# phasemark: {version}; command: x,y z; seed: 3\na,b\n1,0.5\n2,2.0\n"
    assert tables.comment(path) == {"phasemark": version, "command": "x,y z", "seed": "3"}
    assert pd.read_csv(path, comment="#")["b"].tolist() == [0.5, 2.0]
    tables.write(path, {"a": [], "b": []})
    assert path.read_text() == f"# phasemark: {version}\na,b\n"
    assert tables.read(path, {"a": int}) == {"a": []}


def test_columns_are_of_one_length(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="zip"):
        tables.write(tmp_path / "a.csv", {"a": [1], "b": [1, 2]})
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="cannot be written"):
        tables.write(tmp_path / "none" / "a.csv", {"a": [1]})


def test_what_others_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbf# seed: 3; a; b: c: d\r\n\r\n# more\nb , a,c\n\n 1,2,x\n# no\n3, 4 ,y\n")
    assert tables.comment(path) == {"seed": "3", "b": "c: d"}
    assert tables.header(path) == ["b ", " a", "c"]
    assert tables.read(path, {" a": int, "c": str}) == {" a": [2, 4], "c": ["x", "y"]}


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\n# a: b\n", "#\n", "# a\n"])
def test_without_a_comment_nothing_is_said(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert tables.comment(path) == {}


@pytest.mark.parametrize(
    ("text", "types", "message"),
    [
        ("", {"a": int}, ":1: column a is missing\n  hint: add it to the header: a"),
        ("# c\n\nb\n1\n", {"b": int, "a": int}, ":3: column a is missing\n  hint: add it to the header: b,a"),
        ("a,b\n1,2\n1\n", {"a": int}, ":3: 1 fields under 2 headings"),
        ("a,b\n1,2,3\n", {"a": int}, ":2: 3 fields under 2 headings"),
        ("a\n1.5\n", {"a": int}, ":2: a is '1.5', not a whole number"),
        ("a\n\n9223372036854775808\n", {"a": int}, ":3: a is '9223372036854775808', not a whole number"),
        ("a,b\n1,\n", {"b": int}, ":2: b is '', not a whole number"),
        ("a,b\n1,\n", {"b": float}, ":2: b is '', not a number"),
        ("a\nx\n", {"a": float}, ":2: a is 'x', not a number"),
        ("a\nx\n", {"a": tables.Optional}, ":2: a is 'x', not a number"),
        ('a\n"x\n', {"a": str}, ":2: no line of a table"),
    ],
)
def test_a_bad_table_is_named_by_file_and_line(
    text: str, types: dict[str, type], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        tables.read(path, types)
    assert str(caught.value).startswith(f"{path}{message}")


def test_whole_numbers_have_64_bits(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"a\n{2**63 - 1}\n-{2**63 - 1}\n")
    assert tables.read(path, {"a": int})["a"] == [2**63 - 1, -(2**63 - 1)]


def test_a_heading_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("# c\na,b,b,a\n")
    with pytest.raises(DataError, match=r"a\.csv:2: column a stands twice$"):
        tables.header(path)
    path.write_text("# c\n")
    assert tables.header(path) == []


@pytest.mark.parametrize("look", [tables.header, tables.comment, lambda path: tables.read(path, {"a": int})])
def test_what_is_not_there_is_told(look: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv: there is no such file\n"):
        look(tmp_path / "a.csv")


def test_what_is_missing_stays_empty_and_is_nan_again(tmp_path: Path) -> None:
    values = [0.0, math.nan, -1.5, math.inf]
    assert tables.blank([*values, "x", 3]) == [0.0, "", -1.5, math.inf, "x", 3]
    tables.write(tmp_path / "a.csv", {"n": range(4), "a": tables.blank(values)})
    read = tables.read(tmp_path / "a.csv", {"a": tables.Optional})["a"]
    np.testing.assert_array_equal(read, values)
    assert math.isnan(tables.Optional("  ")) and tables.Optional(" 2 ") == 2.0


def test_the_time_for_a_table_grows_with_its_columns_alone(tmp_path: Path) -> None:
    def seconds(columns: int) -> float:
        names = [f"system.cpu.counter_{number}" for number in range(columns)]
        (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + ",".join(["1"] * columns) + "\n")
        began = time.process_time()
        assert len(tables.read(tmp_path / "wide.csv", dict.fromkeys(names, int))) == columns
        return time.process_time() - began

    few, many = (min(seconds(columns) for _ in range(5)) for columns in (3_000, 24_000))
    assert many < 36 * few, "eight times as many"
