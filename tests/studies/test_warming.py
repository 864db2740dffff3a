"""The study of warming: two points counted by hand; and in small, a real program from input to table."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.modules import modules

from phasemark.model import Metrics, Points

STUDY = Path(__file__).parents[2] / "studies" / "warming"
collector = importlib.util.find_spec("phasemark")
built = any((Path(place) / "_collector").is_dir() for place in collector.submodule_search_locations or [])


@pytest.fixture(scope="module")
def study() -> Iterator[SimpleNamespace]:
    with modules(STUDY, "comparing", "tables") as found:
        yield SimpleNamespace(**{module.__name__: module for module in found})


def metrics(index: list[int], cycles: list[int], misses: list[int]) -> Metrics:
    n = len(index)
    return Metrics(
        run=np.zeros(n, np.int32),
        thread=np.zeros(n, np.int32),
        index=np.array(index),
        start=1000 * np.array(index),
        length=np.full(n, 1000),
        counters={
            "instructions": np.full(n, 1000.0),
            "cycles": np.array(cycles, float),
            "l3_misses": np.array(misses, float),
        },
        source="hand",
    )


def points(index: list[int], weight: list[float]) -> Points:
    n = len(index)
    return Points(
        run=np.zeros(n, np.int32),
        thread=np.zeros(n, np.int32),
        interval=np.array(index),
        phase=np.zeros(n, np.int32),
        start=1000 * np.array(index),
        end=1000 * np.array(index) + 1000,
        warmup=np.zeros(n, np.int64),
        weight=np.array(weight),
        method="by hand",
    )


def test_points_are_held_to_the_same_intervals(study: SimpleNamespace) -> None:
    full = metrics([0, 1, 2], [9000, 2000, 1000], [0, 8, 4])
    some = metrics([1, 2], [1800, 1100], [4, 4])
    found = study.comparing.compared(points([1, 2], [0.75, 0.25]), some, full)
    # 0.75 x 1.8 + 0.25 x 1.1 = 1.625 instead of 1.75; 0.75 x 4 + 0.25 x 4 instead of 7 misses.
    assert found["bias"]["cycles"] == pytest.approx(1.625 / 1.75 - 1)
    assert found["bias"]["l3_misses"] == pytest.approx(4 / 7 - 1)
    assert found["mpki"]["l3_misses"] == pytest.approx(7)
    assert (found["median"], found["largest"]) == (pytest.approx(0.1), pytest.approx(0.1))
    assert "l1d_misses" not in found["bias"]


def test_programs_that_vary_are_no_part_of_the_means(study: SimpleNamespace) -> None:
    def result(bias: float) -> dict[str, object]:
        times = {"cpu_seconds": 1.0, "full_cpu_seconds": 4.0, "median": 0.0, "largest": 0.0}
        return {"bias": {"cycles": bias}, "mpki": {"l3_misses": 1.0}, **times}

    table = study.tables.every({"gzip": result(0.02), "ruby": result(0.5), "sort": result(-0.04)})
    assert "| **mean, without signs** | 3.00% |" in table and "| 2 s | 0.25 |" in table
    assert table.splitlines()[-1].startswith("| (ruby) | +50.00% |")


@pytest.mark.skipif(not built, reason="the collector was not built")
def test_a_program_in_small(tmp_path: Path) -> None:
    command = [sys.executable, STUDY / "study.py", "-o", tmp_path, "--scale", "0.1", "--only", "gunzip"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "results.json").read_text())["gunzip"]
    assert abs(result["bias"]["cycles"]) < 0.02 and abs(result["bias"]["l3_misses"]) < 0.05
    assert result["cpu_seconds"] > 0 and "| gunzip | " in (tmp_path / "tables.md").read_text()
