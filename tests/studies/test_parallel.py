"""The study of parallel programs, in small: one of its kernels from source to tables and figures."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

STUDY = Path(__file__).parents[2] / "studies" / "parallel"
collector = importlib.util.find_spec("phasemark")
built = any((Path(place) / "_collector").is_dir() for place in collector.submodule_search_locations or [])
pytestmark = pytest.mark.skipif(not built, reason="the collector was not built")


def study(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, STUDY / "study.py", "-o", out, "--scale", "0.05", "--seeds", "2", *more]
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, cwd=out.parent
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "out"
    done = study(out, "--only", "ft")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_each_number_of_threads_is_held_to_the_truth(small: Path) -> None:
    result = json.loads((small / "results.json").read_text())["ft"]
    assert list(result["runs"]) == ["1", "2", "3", "4"]
    for threads, run in result["runs"].items():
        assert run["threads"] == int(threads)
        for way in ("separate", "merged", "shuffled", "random"):
            assert len(run[way]) == 2
            assert all(row.get("reduction", {"cpi": 0})["cpi"] <= 1 for row in run[way])
        assert all(abs(row["errors"]["cpi"]) < 1 for row in run["separate"])
        assert all(row["points"] > run["separate"][0]["k"] for row in run["random"])
    joint = result["joint"]
    assert joint["threads"] == [1, 2, 3, 4] and len(joint["speedup"]) == 4
    assert all(len(row["errors"]) == 4 for row in joint["seeds"])
    executed = [sum(phase["instructions"][at] for phase in joint["phases"]) for at in range(4)]
    assert executed == [run["instructions"] for run in result["runs"].values()]


def test_tables_and_figures_are_written_and_nothing_is_done_twice(small: Path) -> None:
    tables = (small / "tables.md").read_text()
    assert tables.count("## ") == 10 and "| ft | 4 |" in tables
    figures = {path.name for path in small.glob("*.svg")}
    assert figures == {
        "reduction-cpi.svg", "reduction-l2_miss_rate.svg", "reduction-l3_miss_rate.svg", "error-cpi.svg",
        "lanes-ft.svg", "scaling-ft.svg",
    }  # fmt: skip
    before = (small / "results" / "ft.json").stat().st_mtime_ns
    assert study(small, "--only", "ft").returncode == 0
    assert (small / "results" / "ft.json").stat().st_mtime_ns == before
