"""What `phasemark quality` prints, to the letter."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest
from tests.cli.printing.test_markers import markers

from phasemark.cli.printing import quality as shown
from phasemark.quality import OfK
from phasemark.quality.table import FULL, Row
from phasemark.workflow import QualityOptions, QualityResult

NAN = math.nan
ROWS = [
    Row("cpi", "full", 1.0, 40, 0.0, 1.5, 0.6, 0.4, 12.5, 0.0, 10.0),
    Row("cpi", "all", 1.0, 40, 0.0, 1.5, 0.15, 0.1, 3.25, 0.75, 10.0),
    Row("cpi", "0", 0.25, 1000, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.5),
    Row("cpi", "1", 0.75, 30, 0.0, 2.0, 0.1, 0.05, 1.0, 0.5, 7.5),
    Row("l2_mpki", "full", 1.0, 40, 0.05, 0.0, 0.0, NAN, NAN, NAN, 10.0),
    Row("l2_mpki", "all", 1.0, 40, 0.05, 0.0, 0.0, NAN, NAN, NAN, 10.0),
    Row("l2_mpki", "0", 0.25, 10, 0.0, 0.0, 0.0, NAN, NAN, NAN, 2.5),
    Row("l2_mpki", "1", 0.75, 30, 0.0, 0.0, 0.0, NAN, NAN, NAN, 7.5),
]
OPTIONS = QualityOptions(("cpi", "l2_mpki"), 10)


def result(source: str = "a test", against_k: tuple[OfK, ...] = ()) -> QualityResult:
    return QualityResult(ROWS, 40, source, OPTIONS, against_k)


OVERALL = [
    "metric   mean    CoV  within phases    CIM  with phases  less deviation",
    "cpi       1.5  40.0%          10.0%  12.5%        3.25%           75.0%",
    "l2_mpki     0      -              -      -            -               -",
]


def test_the_metrics_and_the_largest_phases() -> None:
    assert shown.lines(result(), 1, each=False) == [
        "40 intervals, measured by a test",
        "",
        *OVERALL,
        "",
        "phase   share          cpi  l2_mpki",
        "full   100.0%  1.5 (40.0%)    0 (-)",
        "1       75.0%    2 (5.00%)    0 (-)",
        "note: l2_mpki was not measured for 5.00% of the instructions",
    ]
    assert len(shown.lines(result(), 2, each=False)) == 11


def test_what_the_largest_phases_begin_with() -> None:
    lines = shown.lines(result(), 1, each=False, begins=markers())
    assert lines[:9] == shown.lines(result(), 1, each=False)[:9] and lines[9] == ""
    assert lines[10].startswith("phase  begins with")
    assert lines[11].startswith("    1  call of ") and lines[12].startswith("note: ")


def test_every_phase_of_every_metric() -> None:
    assert shown.lines(result(""), 1, each=True)[9:] == [
        "",
        "cpi",
        "phase   share  intervals  mean    CoV    CIM  less deviation  sample",
        "full   100.0%         40   1.5  40.0%  12.5%                      10",
        "all    100.0%         40   1.5  10.0%  3.25%           75.0%      10",
        "1       75.0%         30     2  5.00%  1.00%           50.0%     7.5",
        "0       25.0%      1,000     1  0.00%  0.00%          100.0%     2.5",
        "",
        "l2_mpki",
        "phase   share  intervals  mean  CoV  CIM  less deviation  sample",
        "full   100.0%         40     0    -    -                      10",
        "all    100.0%         40     0    -    -               -      10",
        "1       75.0%         30     0    -    -               -     7.5",
        "0       25.0%         10     0    -    -               -     2.5",
        "note: l2_mpki was not measured for 5.00% of the instructions",
    ]
    assert shown.lines(result(""), 1, each=True)[0] == "40 intervals, measured by an unnamed source"


def test_against_the_number_of_phases() -> None:
    of_k = [OfK(name, k, 0.4 / k, 12.5 / k, 0.5) for k in (2, 1) for name in ("cpi", "l2_mpki")]
    assert shown.lines(result(against_k=tuple(of_k)), 1, each=False)[9:] == [
        "",
        "k  cpi CoV, CIM  l2_mpki CoV, CIM",
        "1  40.0%, 12.5%      40.0%, 12.5%",
        "2  20.0%, 6.25%      20.0%, 6.25%",
        "note: l2_mpki was not measured for 5.00% of the instructions",
    ]
    found = shown.summary(result(against_k=tuple(of_k)))["against_k"]
    assert found[0] == {"metric": "cpi", "k": 2, "cov": 0.2, "cim": 6.25, "deviation_reduction": 0.5}


def test_tables_fold_where_the_terminal_is_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    of_k = tuple(OfK(name, 1, 0.4, 12.5, 0.5) for name in ("cpi", "l2_mpki"))
    lines = shown.lines(result(against_k=of_k), 1, each=True)
    assert lines[2:10] == [
        "metric   mean    CoV  within phases",
        "cpi       1.5  40.0%          10.0%",
        "l2_mpki     0      -              -",
        "",
        "metric     CIM  with phases",
        "cpi      12.5%        3.25%",
        "l2_mpki      -            -",
        "",
    ]
    assert max(len(line) for line in lines if not line.startswith("note: ")) <= 40
    assert "k  cpi CoV, CIM  l2_mpki CoV, CIM" in lines


def test_as_json() -> None:
    found = json.loads(json.dumps(shown.summary(result())))
    metrics = found.pop("metrics")
    assert found == {
        "n": 10,
        "confidence": 0.95,
        "plan": False,
        "source": "a test",
        "notes": ["l2_mpki was not measured for 5.00% of the instructions"],
    }
    assert {name: list(rows) for name, rows in metrics.items()} == {
        "cpi": ["full", "all", "0", "1"],
        "l2_mpki": ["full", "all", "0", "1"],
    }
    assert metrics["l2_mpki"]["1"] == {
        "metric": "l2_mpki",
        "phase": "1",
        "share": 0.75,
        "intervals": 30,
        "missing": 0.0,
        "mean": 0.0,
        "deviation": 0.0,
        "cov": None,
        "cim": None,
        "deviation_reduction": None,
        "sample": 7.5,
    }


def test_metrics_of_a_part_are_said_once_and_how_many_were_measured() -> None:
    rows = [dataclasses.replace(row, missing=0.9, intervals=4) if row.phase == FULL else row for row in ROWS]
    said = shown.lines(QualityResult(rows, 40, "two.csv", OPTIONS, ()), 1, each=False)
    assert said[0] == "4 of 40 intervals, measured by two.csv"
    assert [line for line in said if line.startswith("note: ") and "measured" in line] == [
        "note: cpi, l2_mpki were not measured for 90.0% of the instructions"
    ]
