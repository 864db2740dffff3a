"""What was set aside comes back by the commands that are printed, as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.commands import run as command

import phasemark
from phasemark.errors import DataError
from phasemark.store import metrics_csv, points_csv, tables
from phasemark.workflow import Run

EDGE_CASES = Path(__file__).parents[1] / "data" / "edge-cases"
BASE, OTHER = EDGE_CASES / "base.bb", EDGE_CASES / "same.bb"
KEPT = ("metrics.csv", "points.csv", "point-metrics.csv", "simpoints", "weights")


def table(path: Path, intervals: Sequence[int], cycles: int) -> Path:
    path.write_text("interval,cycles\n" + "".join(f"{n},{cycles + n}\n" for n in intervals))
    return path


def measured(place: Path) -> Run:
    """A run whose points and intervals another tool measured, in a folder whose name a shell would part."""
    run = phasemark.open(BASE, place / "the run's")
    run.find_phases()
    points = run.pick_points(per_phase=2).points
    run.import_metrics([table(place / "all.csv", range(8), 1000)])
    run.import_metrics([table(place / "few.csv", points.interval.tolist(), 2000)])
    return run


def contents(run: Run) -> dict[str, str]:
    """Of the files that are dear, but for who says to have made them; and which there are set aside."""
    made = ("phasemark", "command", "files", "of", "early", "warmup", "per_phase", "budget", "target_error")
    made += ("confidence", "seed", "tail_points", "use_pilot", "strata", "guard", "warmup_check")
    made += ("coverage_asked",)
    found = {path.name: "" for path in run.path.iterdir() if path.name.endswith("~")}
    for name in KEPT:
        text = run.folder[name].read_text()
        told = tables.comment(run.folder[name]).items()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        found[name] = "\n".join([str({k: v for k, v in told if k not in made}), *lines])
    return found


def pasted(told: Sequence[str] | str) -> int:
    """Run every command between backquotes that brings something back, in a shell; how many there were."""
    text = told if isinstance(told, str) else ", ".join(told)
    commands = re.findall(r"`([^`]+)` brings it back", text)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "\n".join(["set -e", *commands])
    subprocess.run(["sh", "-c", script], check=True, env={**os.environ, "PATH": path}, capture_output=True)
    return len(commands)


def test_other_phases_and_back(tmp_path: Path) -> None:
    run = measured(tmp_path)
    before = contents(run)
    told = command("phases", run.path, "--k", 2).stderr
    assert not run.folder.points.exists() and not run.folder.point_metrics.exists()
    run.find_phases()
    assert pasted(told) == 2
    assert contents(run) == before
    assert command("check", run.path).returncode == 0


def test_other_vectors_and_back(tmp_path: Path) -> None:
    run = measured(tmp_path)
    before = contents(run)
    told = command("import", OTHER, "-o", run.path).stderr
    command("import", BASE, "-o", run.path)
    run.find_phases()
    assert pasted(told) == 3
    assert contents(run) == before


def test_other_points_and_back_and_over_again(tmp_path: Path) -> None:
    run = measured(tmp_path)
    before = contents(run)
    for _ in range(3):
        told = run.pick_points(per_phase=1).discarded
        assert {path.name for path in run.path.glob("*~")} == {"points.csv~", "point-metrics.csv~"}
        assert pasted(told) == 2
        assert contents(run) == before


def test_other_measurements_and_back_leave_the_others_aside(tmp_path: Path) -> None:
    run = measured(tmp_path)
    before = contents(run)
    told = run.import_metrics([table(tmp_path / "all.csv", range(8), 5000)]).discarded
    other = run.folder.metrics.read_text()
    assert pasted(told) == 1
    (aside,) = run.path.glob("*~")
    assert contents(run) == {**before, aside.name: ""}
    assert aside.read_text() == other


def test_given_points_and_back(tmp_path: Path) -> None:
    (tmp_path / "simpoints").write_text("0 0\n5 1\n")
    (tmp_path / "weights").write_text("0.25 0\n0.75 1\n")
    run = measured(tmp_path)
    run.import_points([tmp_path / "simpoints", tmp_path / "weights"])
    for path in run.path.glob("*~"):
        path.unlink()
    run.import_metrics([table(tmp_path / "few.csv", [0, 5], 3000)])
    before = contents(run)
    told = run.pick_points(per_phase=1).discarded
    assert pasted(told) == 2
    assert contents(run) == before


def test_the_same_is_not_set_aside_twice(tmp_path: Path) -> None:
    run = measured(tmp_path)
    for name in ("metrics.csv", "points.csv", "point-metrics.csv"):
        run.folder[f"{name}~"].write_bytes(run.folder[name].read_bytes())
    before = run.folder.metrics.read_bytes()
    told = phasemark.open(OTHER, run.path).discarded
    assert "metrics.csv is now metrics.csv~" in told and not run.folder.metrics.exists()
    assert {path.name for path in run.path.glob("*~*")} == {
        "metrics.csv~",
        "points.csv~",
        "point-metrics.csv~",
    }
    assert run.folder["metrics.csv~"].read_bytes() == before


def test_only_what_is_there_again_goes(tmp_path: Path) -> None:
    run = measured(tmp_path)
    run.pick_points(per_phase=1)
    aside = run.folder["point-metrics.csv~"]
    with pytest.raises(DataError):  # of other points
        run.import_metrics([aside])
    aside.write_text("interval,cycles\n0,17\n")  # not as phasemark writes it
    run.import_metrics([aside], of="intervals")
    assert aside.exists() and metrics_csv.read(run.folder.metrics).counters["cycles"].tolist() == [17]
    elsewhere = tmp_path / "metrics.csv~"
    elsewhere.write_bytes(run.folder.metrics.read_bytes())
    run.import_metrics([elsewhere])
    assert elsewhere.exists(), "it lies in another folder"


@pytest.mark.parametrize("name", ["point-metrics.csv~", "measured.csv"])
def test_what_was_measured_of_points_is_told_without_them(tmp_path: Path, name: str) -> None:
    run = measured(tmp_path)
    phasemark.open(OTHER, run.path)
    phasemark.open(BASE, run.path).find_phases()
    aside = run.folder["point-metrics.csv~"].rename(run.folder[name])
    with pytest.raises(DataError, match=r"points\.csv: there is no such file"):
        run.import_metrics([aside])
    assert not run.folder.metrics.exists()
    run.import_points([run.folder["points.csv~"]])
    run.import_metrics([aside])
    assert len(points_csv.read(run.folder.points)) == len(metrics_csv.read(run.folder.point_metrics))
