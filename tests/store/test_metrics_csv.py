"""metrics.csv and the Metrics value: what goes out comes back; bad tables are named by file and line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from phasemark.errors import DataError
from phasemark.model import Metrics
from phasemark.store import metrics_csv


def of(counters: dict[str, list[float]], **more: object) -> Metrics:
    n = len(next(iter(counters.values())))
    zero = np.zeros(n, np.int32)
    return Metrics(
        zero,
        zero,
        np.arange(n),
        np.arange(n) * 10,
        np.full(n, 10),
        counters,
        **more,  # type: ignore[arg-type]
    )


@given(arrays.arrays(np.float64, 7, elements=st.floats(0, 1e100) | st.just(np.nan)))
def test_comes_back_as_written(tmp_path_factory: pytest.TempPathFactory, values: np.ndarray) -> None:
    path = tmp_path_factory.mktemp("m") / "metrics.csv"
    metrics_csv.write(
        path, of({"cycles": values, "energy": values}, units={"energy": "pJ"}, source="us"), made_by={}
    )
    back = metrics_csv.read(path)
    np.testing.assert_array_equal(back.counters["cycles"], values)
    assert back.units == {"cycles": "cycles", "energy": "pJ"}
    assert back.source == "us"


def test_names_and_units_come_back_whatever_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    units = {"L2 misses": "events", "a=b": "J", "heat; source: x": "nano joule", "50%": "%41", "é": "µJ"}
    metrics = of({name: [1.0] for name in units}, units=units, source="a; units: L2=x\nb")
    metrics_csv.write(path, metrics, made_by={"command": "one; two"})
    back = metrics_csv.read(path)
    assert back.units == units and back.source == "a, units: L2=x b"


def test_ratios_divide_what_was_counted() -> None:
    metrics = of({"instructions": [10, 0, 10], "cycles": [20, 5, np.nan]})
    assert list(metrics.ratios()) == ["cpi"]
    np.testing.assert_array_equal(metrics.values("cpi"), [2, np.nan, np.nan])
    with pytest.raises(DataError, match=r"no metric 'ipc'"):
        metrics.values("ipc")


def test_finds_rows_by_their_key() -> None:
    metrics = of({"cycles": [1.0, 2.0, 3.0]})
    found = metrics.rows(np.zeros(2, np.int32), np.zeros(2, np.int32), np.array([2, 9]))
    assert found.tolist() == [2, -1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run,thread,index,start,length\n", "has no counter"),
        ("run,thread,index,start,cycles\n0,0,0,0,1\n", "column length is missing"),
        ("run,thread,index,start,length,cycles\n0,0,0,0,9,x\n", ":2: cycles is 'x', not a number"),
        ("run,thread,index,start,length,cycles\n0,0,0,0,9,-1\n", "row 0: cycles is negative"),
        ("run,thread,index,start,length,cycles\n0,0,0,0,9,1e101\n", "row 0: cycles is too large to be true"),
        (
            "run,thread,index,start,length,cycles\n0,0,1,0,9,1\n0,0,1,9,9,1\n",
            "row 1: the rows are not ordered",
        ),
        ("run,thread,index,start,length,c,c\n0,0,1,0,9,1,1\n", ":1: column c stands twice"),
        ("run,thread,index,start,length,cycles\n0,0,1,0,0,1\n", "row 0: a row has no instruction"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=r"metrics\.csv") as caught:
        metrics_csv.read(path)
    assert message in str(caught.value)
