"""Metrics are counts by interval; what is missing is missing, and what cannot be is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Metrics

COLUMNS: dict[str, Any] = {
    "run": [0, 0, 1],
    "thread": [0, 2, 0],
    "index": [3, 0, 0],
    "start": [17, 0, 0],
    "length": [10, 5, 8],
    "counters": {"instructions": [10, 4, 8], "cycles": [20, np.nan, 4]},
}


def metrics(**changed: Any) -> Metrics:
    return Metrics(**{**COLUMNS, **changed})


def test_rows_are_those_of_their_keys_in_any_order_and_of_intervals_of_any_length() -> None:
    asked = np.array([[1, 0, 0], [0, 0, 3], [0, 2, 1], [0, 2, 0], [1, 2, 0]])
    assert metrics().rows(*asked.T).tolist() == [2, 0, -1, 1, -1]


def test_what_was_not_measured_is_missing_and_never_0() -> None:
    table = metrics()
    assert np.isnan(table.counters["cycles"][1])
    np.testing.assert_array_equal(table.values("cpi"), [2.0, np.nan, 0.5])
    np.testing.assert_array_equal(
        metrics(counters={"instructions": [0, 1, 2], "cycles": [1, 1, 1]}).values("cpi"), [np.nan, 1, 0.5]
    )
    assert table.values("cycles") is table.counters["cycles"]
    with pytest.raises(DataError, match="no metric 'speed'") as caught:
        table.values("speed")
    assert "cpi, instructions, cycles" in caught.value.hint


def test_ratios_are_those_whose_counters_there_are() -> None:
    assert list(metrics().ratios()) == ["cpi"]
    assert list(metrics(counters={"cycles": [1, 2, 3]}).ratios()) == []
    assert list(metrics(counters={"cycles": [1, 2, 3]}).with_instructions().ratios()) == ["cpi"]


def test_lengths_stand_for_instructions_that_were_not_counted() -> None:
    assert metrics().with_instructions().counters["instructions"].tolist() == [10, 4, 8]
    filled = metrics(counters={"cycles": [1, 2, 3]}, source="us").with_instructions()
    assert filled.counters["instructions"].tolist() == [10, 5, 8] and filled.source == "us"


def test_counters_have_units() -> None:
    table = metrics(
        counters={"energy": [1, 2, 3], "l2_misses": [0, 0, 0], "stalls": [1, 1, 1]}, units={"stalls": "slots"}
    )
    assert table.units == {"energy": "pJ", "l2_misses": "events", "stalls": "slots"}
    assert metrics().units == {"instructions": "instructions", "cycles": "cycles"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"start": [-1, 0, 0]}, "row 0: a row has no instruction, or starts before the first"),
        ({"length": [10, 0, 8]}, "row 1: a row has no instruction, or starts before the first"),
        ({"length": [10, 5, 7.5]}, "row 2: column length holds no whole number"),
        ({"run": [1, 0, 1]}, "row 1: the rows are not ordered by run, thread and index, each once"),
        ({"thread": [3, 2, 0]}, "row 1: the rows are not ordered by run, thread and index, each once"),
        ({"thread": [2, 2, 0]}, "row 1: the rows are not ordered by run, thread and index, each once"),
        ({"thread": [2, 2, 0], "index": [0, 0, 0]}, "row 1: the rows are not ordered.*each once"),
        ({"counters": {"length": [1, 2, 3]}}, "a counter is called length"),
        ({"counters": {"cycles": [1, -1, 3]}}, "row 1: cycles is negative or infinite"),
        ({"counters": {"cycles": [1, 1, np.inf]}}, "row 2: cycles is negative or infinite"),
        ({"counters": {"cycles": [1e101, 1, 1]}}, "row 0: cycles is too large to be true"),
        ({"counters": {"cycles": [1, 2]}}, "column cycles has 2 rows instead of 3"),
        ({"units": {"cycles": "ns"}}, "cycles are given in ns, not in cycles"),
        ({"counters": {"energy": [1, 2, 3]}, "units": {"energy": "J"}}, "energy are given in J, not in pJ"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        metrics(**changed)


def test_a_count_of_0_and_a_large_one_are_taken_and_an_interval_of_one_instruction() -> None:
    assert len(metrics(length=[1, 1, 1])) == 3
    assert metrics(counters={"cycles": [0, 1e100, 3]}).counters["cycles"].tolist() == [0, 1e100, 3]


def test_metrics_show_themselves_in_a_line_and_in_a_notebook_as_a_table() -> None:
    assert repr(metrics(source="gem5")) == "<Metrics: intervals=3, counters=2, source=gem5>"
    assert repr(metrics()) == "<Metrics: intervals=3, counters=2>"
    assert "<table" in metrics()._repr_html_()
    assert list(metrics().frame().columns) == [
        "run",
        "thread",
        "index",
        "start",
        "length",
        "instructions",
        "cycles",
    ]
