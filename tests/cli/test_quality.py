"""phasemark quality: from files to tables."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed, with_metrics
from typer.testing import CliRunner

from phasemark import quality
from phasemark.cli.app import application
from phasemark.errors import DataError
from phasemark.model import Metrics
from phasemark.store import metrics_csv, phases_store, quality_csv, tables
from phasemark.workflow import QualityOptions, Run
from phasemark.workflow.reading import read

CPI = [1.0, 1.2, 1.1, 2.0, 2.0, 2.0, 3.0, 3.5]


def run(*arguments: object) -> str:
    result = CliRunner().invoke(application(), ["quality", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_rows_are_those_of_the_measures(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI)
    found = Run(folder.path).quality(QualityOptions(n=3))
    _, phases = phases_store.read_model(folder.model)
    lengths = read(folder.path).interval_table.length
    spread, interval = (
        quality.cov(CPI, phases.labels, lengths),
        quality.cim(CPI, phases.labels, 3, weights=lengths),
    )
    full, every, second = (found.row("cpi", phase) for phase in ("full", "all", "1"))
    assert full.mean == pytest.approx(np.average(CPI, weights=lengths))
    assert (full.cov, every.cov) == pytest.approx((spread.before, spread.total))
    assert (full.cim, every.cim) == pytest.approx((interval.before, interval.percent))
    assert every.deviation_reduction == pytest.approx(
        quality.deviation_reduction(CPI, phases.labels, lengths)
    )
    assert (second.mean, second.deviation, second.cov, second.cim, second.sample) == (2, 0, 0, 0, 0)
    assert second.deviation_reduction == 1 and second.intervals == 3
    shares = [row.share for row in found.phases()]
    assert sum(shares) == pytest.approx(1) and shares == sorted(shares, reverse=True)


def test_file_says_what_was_measured(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI, l2_references=[0, 0, 0, 9, 9, 9, 9, 9], l2_misses=[0] * 3 + [3] * 5)
    run(tmp_path, "-n", 3, "--quiet")
    kinds = {"metric": str, "phase": str, "mean": tables.Optional, "missing": float, "intervals": int}
    columns = tables.read(folder.quality, kinds)
    assert list(dict.fromkeys(columns["metric"])) == ["cpi", "l2_miss_rate", "l2_mpki"]
    assert columns["phase"][:5] == ["full", "all", "0", "1", "2"]
    rate = columns["metric"].index("l2_miss_rate")
    # Nothing was referenced in phase 0: it has no miss rate, and none is missing.
    assert columns["mean"][rate] == pytest.approx(1 / 3) and math.isnan(columns["mean"][rate + 2])
    assert columns["intervals"][rate + 2] == 0 and columns["missing"][rate + 2] == 0
    assert tables.comment(folder.quality)["source"] == "a test"
    before = folder.quality.read_bytes()
    run(tmp_path, "-n", 3, "--quiet")
    assert folder.quality.read_bytes() == before
    folder.discard_from("metrics")
    assert not folder.quality.exists()


def test_missing_is_said(tmp_path: Path) -> None:
    with_metrics(tmp_path, [math.nan, *CPI[1:]])
    found = json.loads(run(tmp_path, "--json"))
    assert found["metrics"]["cpi"]["full"]["intervals"] == 7
    assert found["metrics"]["cpi"]["0"]["missing"] > 0.2 and found["metrics"]["cpi"]["1"]["missing"] == 0
    assert any("cpi was not measured for" in note for note in found["notes"])
    assert any("CIM is 0" in note for note in found["notes"])


def test_tables_for_people(tmp_path: Path) -> None:
    with_metrics(tmp_path, CPI, l2_misses=[0.0] * 8)
    said = run(tmp_path, "-n", 3)
    assert "8 intervals, measured by a test" in said and "within phases" in said
    assert "0 (-)" in said  # a mean of nothing has no relative deviation
    row = next(line for line in said.splitlines() if line.startswith("1 "))
    assert "2 (0.00%)" in row
    each = run(tmp_path, "--metric", "ipc", "-n", 3, "--largest", 1)
    assert [line.split()[0] for line in each.splitlines()[-5:]] == ["full", "all", "2", "1", "0"]
    assert run(tmp_path, "--quiet") == ""


def test_a_counter_is_taken_per_instruction(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI)
    by_counter, by_ratio = (
        Run(folder.path).quality(QualityOptions((name,))).row(name, "all") for name in ("cycles", "cpi")
    )
    assert by_counter.mean == pytest.approx(by_ratio.mean) and by_counter.cov == pytest.approx(by_ratio.cov)


def test_a_ratio_is_averaged_with_its_denominator(tmp_path: Path) -> None:
    folder = with_metrics(
        tmp_path, CPI, l2_references=[1, 9, 0, 4, 4, 4, 50, 2], l2_misses=[1, 0, 0, 1, 2, 3, 5, 2]
    )
    rate = Run(folder.path).quality()
    assert rate.row("l2_miss_rate", "full").mean == pytest.approx(14 / 74)
    assert rate.row("l2_miss_rate", "0").mean == pytest.approx(1 / 10)
    assert rate.row("l2_miss_rate", "0").deviation == pytest.approx(math.sqrt(0.1 * 0.9))
    instructions = read(folder.path).interval_table.length.sum()
    assert rate.row("l2_mpki", "full").mean == pytest.approx(14_000 / instructions)


def test_against_k(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI)
    found = json.loads(run(tmp_path, "-n", 3, "--against-k", "--json"))["against_k"]
    assert [one["k"] for one in found] == list(range(1, 9))  # eight different vectors
    whole = json.loads(run(tmp_path, "-n", 3, "--json"))["metrics"]["cpi"]
    assert found[0]["cov"] == pytest.approx(whole["full"]["cov"])
    assert found[0]["cim"] == pytest.approx(whole["full"]["cim"])
    assert found[0]["deviation_reduction"] == pytest.approx(0, abs=1e-12)
    # k = 3 is what was chosen.
    assert found[2]["cov"] == pytest.approx(whole["all"]["cov"]) and found[2]["k"] == 3
    assert not folder.quality_k.exists()  # quality was measured anew since
    run(tmp_path, "-n", 3, "--against-k", "--quiet")
    stored = quality_csv.read_against_k(folder.quality_k)["cpi"]
    assert stored["k"] == list(range(1, 9)) and stored["cov"] == [one["cov"] for one in found]


def test_metrics_of_another_run_are_refused(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI)
    metrics = metrics_csv.read(folder.metrics)
    longer = dataclasses.replace(metrics, length=metrics.length + 1)
    metrics_csv.write(folder.metrics, longer, made_by={})
    with pytest.raises(DataError, match="none of the profile's"):
        Run(folder.path).quality()
    key = [np.zeros(1, int)] * 4
    whole = Metrics(*key, metrics.length.sum(keepdims=True), {"cycles": np.array([9.0])})
    metrics_csv.write(folder.metrics, whole, made_by={})
    with pytest.raises(DataError, match="the whole run as one"):
        Run(folder.path).quality()


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    folder = with_metrics(tmp_path, CPI)
    with pytest.raises(DataError, match="no metric 'epi' was measured\n  hint: choose one of: cpi"):
        Run(folder.path).quality(QualityOptions(("epi",)))
    folder.metrics.unlink()
    with pytest.raises(DataError, match=r"simulate .* --full"):
        Run(folder.path).quality()
    folder.model.unlink()
    with pytest.raises(DataError, match="phasemark phases"):
        Run(folder.path).quality()


def test_rows_may_be_missing_altogether(tmp_path: Path) -> None:
    folder = analysed(tmp_path)
    intervals = read(folder.path).interval_table
    last = slice(6, 8)
    key = [getattr(intervals, name)[last] for name in ("run", "thread", "index", "start", "length")]
    metrics_csv.write(folder.metrics, Metrics(*key, {"cycles": np.array([8.0, 9.0])}), made_by={})
    found = Run(folder.path).quality()
    full = found.row("cpi", "full")
    assert full.intervals == 2 and full.missing == pytest.approx(1 - key[4].sum() / intervals.length.sum())
