"""profile --timing, run --timing, run --check."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.commands import run

import phasemark
from phasemark.collect import Request
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import MissingTool, UsageError
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

PHASEMARK = (sys.executable, "-c", "from phasemark.cli import main; main()")


def test_a_profile_with_metrics_has_a_row_for_each_interval(tmp_path: Path) -> None:
    # Long enough that the collector doubles its intervals.
    done = run("profile", "-q", "-o", "out", "--timing", "paper", "seq", "600000", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = phasemark.read(tmp_path / "out").interval_table
    assert int(table.length.max()) > 10_000 and table.length.sum() > 4096 * 10_000
    metrics = metrics_csv.read(tmp_path / "out/metrics.csv")
    assert (metrics.index == table.index).all() and (metrics.length == table.length).all()
    assert (metrics.counters["instructions"] == table.length).all()
    assert (metrics.counters["cycles"] > table.length / 16).all()
    assert metrics.source == "timing model paper" and "l3_misses" not in metrics.counters
    entry = Folder(tmp_path / "out").steps()["metrics"]
    assert entry["command"] == "profile --timing" and entry["configuration"]["name"] == "paper"
    again = run("simulate", "out", "--full", "-q", "--config", "paper", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    second = metrics_csv.read(tmp_path / "out/metrics.csv")
    error = np.abs(second.values("cpi") / metrics.values("cpi") - 1)
    assert np.median(error) < 0.005


def test_a_configuration_is_looked_at_before_the_program_runs(tmp_path: Path) -> None:
    done = run("profile", "-o", "out", "--timing", "none", "sh", "-c", ": > ran", cwd=tmp_path)
    assert done.returncode == 2 and "neither a preset nor a file" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_other_collectors_have_no_timing_model() -> None:
    with pytest.raises(UsageError, match="exp-bbv has no timing model"):
        Request(("true",), 1000, "exp-bbv", timing="width=4\n")


@pytest.mark.parametrize("timing", [(), ("--timing", "paper")], ids=["second run", "same run"])
def test_the_points_are_checked_against_the_whole_run(tmp_path: Path, timing: tuple[str, ...]) -> None:
    done = run(
        "run", "--check", *timing, "--no-report", "--json", "-o", "out", "--interval", "50k",
        "seq", "20000", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])["check"]
    cpi = said["metrics"]["cpi"]
    assert cpi["estimate"] == pytest.approx(cpi["full"], rel=0.6)
    assert cpi["error"] == pytest.approx(cpi["estimate"] / cpi["full"] - 1)
    whole = "profile and whole run" if timing else "whole run"
    assert {"points", whole} <= set(said["cpu_seconds"])
    assert all(seconds > 0 for seconds in said["cpu_seconds"].values())
    assert "full run" in done.stderr and "CPU time: profile" in done.stderr
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"metrics.csv", "point-metrics.csv", "estimate.csv"} <= files
    steps = Folder(tmp_path / "out").steps()
    assert steps["metrics"]["configuration"] == steps["simulation"]["configuration"]
    assert done.stdout.count("\n") == 20000 * (2 if timing else 3) + 1


def test_a_check_keeps_the_programs_status(tmp_path: Path) -> None:
    done = run("run", "--check", "-q", "--k", "2", "-o", "out", "sh", "-c", "seq 3000; exit 5", cwd=tmp_path)
    assert done.returncode == 5
    assert (tmp_path / "out/report.html").exists() and (tmp_path / "out/estimate.csv").exists()


CHECK_OF_SORT = (
    *PHASEMARK, "run", "--check", "--no-report", "--json", "-o", "out", "--interval", "20k", "--k", "25",
    "sort",
)  # fmt: skip


def test_each_run_reads_the_same_input(tmp_path: Path) -> None:
    lines = "".join(f"{n * 7919 % 3001}\n" for n in range(3000))
    (tmp_path / "lines").write_text("not of it\n" + lines)
    with (tmp_path / "lines").open("rb") as file:
        file.seek(len("not of it\n"))
        done = subprocess.run(CHECK_OF_SORT, cwd=tmp_path, stdin=file, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.decode().splitlines(keepends=True)
    assert printed[:-1] == sorted(lines.splitlines(keepends=True)) * 3
    assert json.loads(printed[-1])["check"]["metrics"]["cpi"]["error"] is not None


def test_a_part_is_not_shown_as_the_whole_run(tmp_path: Path) -> None:
    """A pipe is empty the second time."""
    lines = b"".join(b"%d\n" % n for n in range(3000))
    done = subprocess.run(CHECK_OF_SORT, cwd=tmp_path, input=lines, capture_output=True, check=False)
    assert done.returncode == 1
    cpi = json.loads(done.stdout.splitlines()[-1])["check"]["metrics"]["cpi"]
    assert cpi["full"] is None and cpi["error"] is None
    assert b"the whole run was not compared: it differs too much" in done.stderr


def test_a_check_that_cannot_be_done_leaves_what_was_found(tmp_path: Path) -> None:
    """Without its input, which was a pipe, the program does not come to the end of an interval."""
    script = "read -r line || exit; i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); done"
    command = [*PHASEMARK, "run", "--check", "-o", "out", "--interval", "10M", "sh", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, input=b"x\n", capture_output=True, check=False)
    assert done.returncode == 1 and b"no interval was simulated" in done.stderr, done.stderr
    assert b"everything is in out" in done.stderr + done.stdout
    assert (tmp_path / "out" / "report.html").exists()
