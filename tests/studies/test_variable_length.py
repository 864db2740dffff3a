"""The study of variable-length intervals, in small: a real program from input to tables and figures."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from phasemark.model import Blocks, Counts, Intervals, Metrics, Profile, Provenance

STUDY = Path(__file__).parents[2] / "studies" / "variable-length"
collector = importlib.util.find_spec("phasemark")
built = any((Path(place) / "_collector").is_dir() for place in collector.submodule_search_locations or [])
needs_collector = pytest.mark.skipif(not built, reason="the collector was not built")

WAYS = ["1", "3", "5", "10", "1 to 5", "5 to 10"]


def study(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, STUDY / "study.py", "-o", out, "--scale", "0.05", "--seeds", "2", *more]
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, cwd=out.parent
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "out"
    done = study(out, "--only", "gunzip")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@needs_collector
def test_every_way_to_cut_is_of_the_same_run(small: Path) -> None:
    result = json.loads((small / "results.json").read_text())["gunzip"]
    assert list(result["cuts"]) == WAYS
    for cut in result["cuts"].values():
        assert cut["shortest"] <= cut["median"] <= cut["longest"] <= result["instructions"]
        assert len(cut["chosen"]) == 2
        for row in [*cut["chosen"], *cut["budgets"]]:
            assert row["simulated"] <= result["instructions"] and row["cov"] >= 0
        for row in cut["budgets"]:
            assert row["simulated"] <= row["budget"] * result["instructions"]
    assert result["cuts"]["3"]["intervals"] == -(-result["cuts"]["1"]["intervals"] // 3)
    assert result["cuts"]["1 to 5"]["fits"] > 0.5


@needs_collector
def test_tables_and_figures_are_written(small: Path) -> None:
    tables = (small / "tables.md").read_text()
    assert tables.count("## ") == 8 and "| gunzip |" in tables
    figures = {path.name for path in small.glob("*.svg")}
    assert figures == {"cov.svg", "error.svg", "simulated.svg", "against-cost.svg"}


@needs_collector
def test_what_is_done_is_not_done_again(small: Path) -> None:
    metrics = [*small.glob("runs/gunzip/*/metrics.csv")]
    before = [path.stat().st_mtime_ns for path in metrics], (small / "tables.md").read_bytes()
    assert len(metrics) == 3
    assert study(small, "--only", "gunzip").returncode == 0
    assert ([path.stat().st_mtime_ns for path in metrics], (small / "tables.md").read_bytes()) == before


def test_longer_fixed_intervals_are_sums() -> None:
    sys.path[:0] = [str(STUDY), str(STUDY.parent / "shared")]
    try:
        import experiments
    finally:
        del sys.path[:2]
        sys.modules.pop("experiments", None)
    lengths = np.array([10, 10, 10, 10, 4])
    rows = np.array([[10, 0], [4, 6], [0, 10], [5, 5], [4, 0]])
    counts = Counts(
        np.concatenate(([0], np.cumsum((rows > 0).sum(axis=1)))), np.nonzero(rows)[1], rows[rows > 0], 2
    )
    intervals = Intervals.of_thread(lengths, nominal=10)
    blocks = Blocks(("/bin/a",), [0, 0], [0, 16], [2, 2], [8, 8])
    profile = Profile(blocks, intervals, counts, Provenance("test"))
    key = (intervals.run, intervals.thread, intervals.index, intervals.start, intervals.length)
    metrics = Metrics(*key, {"cycles": np.array([1.0, 2, 3, 4, 5])})
    longer = experiments.coarser(experiments.Cut(profile, metrics, 10, 10), 2)
    assert longer.profile.interval_table.length.tolist() == [20, 20, 4]
    assert longer.profile.interval_table.frame()["kind"].tolist() == ["fixed", "fixed", "tail"]
    assert longer.profile.counts.toarray().tolist() == [[14, 6], [5, 15], [4, 0]]
    assert longer.metrics.counters["cycles"].tolist() == [3, 7, 5]
    assert (longer.shortest, longer.longest) == (20, 20)
