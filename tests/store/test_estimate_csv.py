"""estimate.csv and quality-k.csv: rows come back; what is not known is empty, and NaN again."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Estimate
from phasemark.store import estimate_csv, quality_csv, tables

ESTIMATE = Estimate(
    value={"cpi": 2.0, "epi": math.nan},
    standard_error={"cpi": 0.1, "epi": math.nan},
    interval={"cpi": (1.8, math.inf), "epi": (math.nan, math.nan)},
    degrees_of_freedom={"cpi": 7.5, "epi": 0.0},
    coverage={"cpi": 0.9, "epi": 0.0},
    missing={"cpi": (3, 5), "epi": ()},
    confidence=0.9,
)


def test_a_row_a_metric_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "estimate.csv"
    estimate_csv.write(path, ESTIMATE, full={"cpi": 2.1}, made_by={"command": "estimate"})
    cpi, epi = estimate_csv.read(path)
    assert vars(cpi) == {
        "metric": "cpi",
        "value": 2.0,
        "low": 1.8,
        "high": math.inf,
        "full": 2.1,
        "missing": 2,
        "standard_error": 0.1,
        "degrees_of_freedom": 7.5,
        "coverage": 0.9,
    }
    np.testing.assert_array_equal(list(vars(epi).values())[1:], [math.nan] * 4 + [0, math.nan, 0.0, 0.0])
    assert epi.metric == "epi"
    assert [type(value) for value in vars(cpi).values()][5] is int


def test_the_table_is_laid_out_as_its_page_says(tmp_path: Path) -> None:
    path = tmp_path / "estimate.csv"
    estimate_csv.write(path, ESTIMATE)
    lines = path.read_text().splitlines()
    assert tables.comment(path)["confidence"] == "0.9"
    assert lines[1:] == [
        "metric,value,standard_error,low,high,degrees_of_freedom,coverage,missing,full",
        "cpi,2.0,0.1,1.8,inf,7.5,0.9,2,",
        "epi,,,,,0.0,0.0,0,",
    ]


def test_a_table_of_other_origin_needs_not_every_column(tmp_path: Path) -> None:
    path = tmp_path / "estimate.csv"
    path.write_text("metric,value,low,high,full,missing,coverage\ncpi,2,1,3,,0,0.5\n")
    (cpi,) = estimate_csv.read(path)
    assert (cpi.value, cpi.low, cpi.high, cpi.missing, cpi.coverage) == (2.0, 1.0, 3.0, 0, 0.5)
    assert math.isnan(cpi.full) and math.isnan(cpi.standard_error) and math.isnan(cpi.degrees_of_freedom)
    path.write_text("metric,value,low,high,missing\ncpi,2,1,3,0\n")
    with pytest.raises(DataError, match=r"estimate\.csv:1: column full is missing"):
        estimate_csv.read(path)


def test_a_bad_estimate_is_named(tmp_path: Path) -> None:
    path = tmp_path / "estimate.csv"
    estimate_csv.write(path, ESTIMATE)
    path.write_text(path.read_text().replace("0.9,2,", "0.9,,"))
    with pytest.raises(DataError, match=r"estimate\.csv:3: missing is '', not a whole number"):
        estimate_csv.read(path)


QUALITY_K = """# phasemark: 1
metric,k,cov,cim,deviation_reduction,more
cpi,1,0.5,,1.0,x
cpi,2,0.25,0.1,0.5,x
l2_mpki,1,,0.3,,x
"""


def test_quality_comes_by_metric_and_k(tmp_path: Path) -> None:
    path = tmp_path / "quality-k.csv"
    path.write_text(QUALITY_K)
    against_k = quality_csv.read_against_k(path)
    assert list(against_k) == ["cpi", "l2_mpki"]
    assert list(against_k["cpi"]) == ["k", "cov", "cim", "deviation_reduction"]
    assert against_k["cpi"]["k"] == [1, 2] and against_k["l2_mpki"]["k"] == [1]
    np.testing.assert_array_equal(against_k["cpi"]["cov"], [0.5, 0.25])
    np.testing.assert_array_equal(against_k["cpi"]["cim"], [math.nan, 0.1])
    np.testing.assert_array_equal(against_k["cpi"]["deviation_reduction"], [1.0, 0.5])
    np.testing.assert_array_equal(against_k["l2_mpki"]["cim"], [0.3])


def test_bad_quality_is_named(tmp_path: Path) -> None:
    path = tmp_path / "quality-k.csv"
    path.write_text(QUALITY_K.replace("cpi,2", "cpi,2.5"))
    with pytest.raises(DataError, match=r"quality-k\.csv:4: k is '2\.5', not a whole number"):
        quality_csv.read_against_k(path)


def test_the_sample_is_said_in_the_comment(tmp_path: Path) -> None:
    path = tmp_path / "quality.csv"
    path.write_text("# sample: 25\n")
    assert quality_csv.sample(path) == 25.0
    path.write_text("# phasemark: 1\n")
    assert quality_csv.sample(path) == 100.0
    path.write_text("# sample: few\n")
    with pytest.raises(DataError, match=r"quality\.csv:1: its comment gives a sample of 'few'$"):
        quality_csv.sample(path)
