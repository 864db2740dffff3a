"""phasemark simulate, as a user types it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from tests.collector.harness import build

import phasemark
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import MissingTool
from phasemark.model import Metrics, Points
from phasemark.store import metrics_csv, points_csv
from phasemark.store.folder import Folder

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in `out`, points picked.

    Of a program that runs alike anywhere; a shell counts the letters of its folder, and those of its
    environment and its pid, and what it does from there on differs by some percent.
    """
    folder = tmp_path_factory.mktemp("work")
    build("turns.S", folder / "turns")
    (folder / "more").mkdir()
    done = commands.run(
        "run", "-q", "-o", "out", "--no-report", "--k", "4", "--interval", "20k", "./turns", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return folder


def simulate(work: Path, *arguments: str, cwd: str = ".") -> subprocess.CompletedProcess[str]:
    done = commands.run("simulate", str(work / "out"), *arguments, cwd=work / cwd)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def ends(work: Path) -> tuple[str, ...]:
    """Asks for an interval from the run's beginning, and for one from its end, which a shorter run lacks."""
    whole = phasemark.open(work / "out").intervals
    start, length = whole.start[[1, -2]], whole.length[[1, -2]]
    both = Points(
        **{key: np.zeros(2, np.int32) for key in ("run", "thread", "phase")},
        interval=whole.index[[1, -2]],
        start=start,
        end=start + length,
        warmup=np.minimum(start, 20_000),
        weight=np.full(2, 0.5),
    )
    points_csv.write(work / "ends.csv", both)
    return ("--points", str(work / "ends.csv"))


def summary(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    return json.loads(done.stdout.splitlines()[-1])


def points(work: Path) -> Metrics:
    return metrics_csv.read(work / "out/point-metrics.csv")


def test_points_are_measured_and_said(work: Path) -> None:
    done = simulate(work, "--json", cwd="more")  # the program starts where it was profiled
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["begin", "end"], "the program's output is the program's"
    said = summary(done)
    picked = points_csv.read(work / "out/points.csv")
    assert said["missing"] == [] and said["intervals"] == len(picked) == len(points(work))
    assert said["configuration"]["name"] == "modern"
    assert "CPI" in done.stderr and "point-metrics.csv" in done.stderr
    full = simulate(work, "--full", "--json")
    assert full.returncode == 0, full.stderr
    everything = metrics_csv.read(work / "out/metrics.csv")
    assert everything.counters["instructions"].sum() == summary(full)["instructions"]
    entries = Folder(work / "out").steps()
    assert entries["simulation"]["configuration"] == entries["metrics"]["configuration"]


def test_points_are_measured_like_the_same_intervals_of_the_full_run(work: Path) -> None:
    assert simulate(work, "-q").returncode == 0 and simulate(work, "-q", "--full").returncode == 0
    everything = metrics_csv.read(work / "out/metrics.csv")
    measured = points(work)
    rows = everything.rows(measured.run, measured.thread, measured.index)
    assert len(measured) == 4 and np.ptp(everything.values("cpi")[rows]) > 0.5
    error = np.abs(measured.values("cpi") / everything.values("cpi")[rows] - 1)
    assert error.max() <= 0.005


def test_equal_simulations_write_equal_bytes(work: Path) -> None:
    def once() -> bytes:
        assert simulate(work, "-q").returncode == 0
        return (work / "out/point-metrics.csv").read_bytes()

    first = once()
    assert once() == first
    assert b"command: simulate; warmup: 500000 to 3000000; configuration: modern " in first


def test_quiet_says_nothing(work: Path) -> None:
    done = simulate(work, "-q", "--", "./turns")
    assert (done.stdout, done.stderr) == ("begin\nend\n", "")


def test_what_was_made_from_earlier_metrics_goes(work: Path) -> None:
    (work / "out/estimate.csv").write_text("stale")
    assert simulate(work, "-q").returncode == 0
    assert not (work / "out/estimate.csv").exists() and (work / "out/points.csv").exists()


def test_another_configuration_is_warned_of(work: Path) -> None:
    assert simulate(work, "-q", "--full").returncode == 0
    done = simulate(work, "-q", "--config", "paper")
    assert done.returncode == 0 and "another configuration (modern" in done.stderr
    assert "l3_misses" not in points(work).counters
    assert "another configuration" not in simulate(work, "-q").stderr


def test_a_shorter_run_is_named_and_its_points_are_missing(work: Path) -> None:
    done = simulate(work, "--json", *ends(work), "--", "./turns", "7")
    assert done.returncode == 1
    said = summary(done)
    assert len(points(work)) == said["intervals"] == 1 and said["missing"] and said["status"] == 0
    assert "fewer than the profile" in done.stderr and "missing" in done.stderr
    assert any("fewer" in warning for warning in said["warnings"])
    assert Folder(work / "out").steps()["simulation"]["missing"] == said["missing"]


def test_the_exit_status_is_the_programs(work: Path) -> None:
    assert simulate(work, "-q", "--", "./turns", "7", "9").returncode == 9


def test_a_killed_program_leaves_what_was_measured(work: Path) -> None:
    done = simulate(work, *ends(work), "--", "./turns", "7", "0", "ends itself")
    assert done.returncode == 128 + 15
    assert len(points(work)) == 1 and "missing" in done.stderr and "exit status is 143" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--config", "no-such"), 2, "neither a preset nor a file"),
        (("--config", "bad.toml"), 3, "bad.toml"),
        (("--warmup", "-1"), 2, "0 or more"),
        (("--full", "--warmup", "5"), 2, "leave out"),
        (("--points", "none.csv"), 3, "none.csv"),
        (("--", "no-such-program"), 127, "no-such-program"),
    ],
)
def test_what_cannot_be_is_refused_and_earlier_metrics_stay(
    work: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    (work / "bad.toml").write_text("[core]\nwidth = 'many'\n")
    (work / "out/point-metrics.csv").write_text("earlier")
    done = simulate(work, *arguments)
    assert done.returncode == status and said in done.stderr, done.stderr
    assert (work / "out/point-metrics.csv").read_text() == "earlier"


def test_a_folder_without_points_says_what_goes_first(tmp_path: Path) -> None:
    done = commands.run("profile", "-q", "-o", "out", "true", cwd=tmp_path)
    assert done.returncode == 0
    done = commands.run("simulate", "out", cwd=tmp_path)
    assert done.returncode == 3 and "phasemark points" in done.stderr


def test_vectors_of_another_tool_need_the_program(tmp_path: Path) -> None:
    (tmp_path / "v.bb").write_text("T:1:20000\nT:1:20000\n")
    assert commands.run("import", "v.bb", "-o", "out", cwd=tmp_path).returncode == 0
    done = commands.run("simulate", "out", "--full", cwd=tmp_path)
    assert done.returncode == 3 and "phasemark simulate DIR -- PROGRAM" in done.stderr
    named = commands.run("simulate", "out", "--full", "--json", "--", "seq", "2000", cwd=tmp_path)
    assert named.returncode == 0 and "more than the profile" in named.stderr
    assert len(metrics_csv.read(tmp_path / "out/metrics.csv")) == 2


def test_a_run_that_comes_to_no_interval_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "v.bb").write_text("T:1:20000000\n")
    assert commands.run("import", "v.bb", "-o", "out", cwd=tmp_path).returncode == 0
    done = commands.run("simulate", "out", "--full", "--", "true", cwd=tmp_path)
    assert done.returncode == 1 and "no interval was simulated: true ended after" in done.stderr
    assert not (tmp_path / "out/metrics.csv").exists()


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    done = commands.run("profile", "-q", "-o", "../out", "true", cwd=tmp_path / "w")
    assert done.returncode == 0
    (tmp_path / "w").rmdir()
    done = commands.run("simulate", "out", "--full", cwd=tmp_path)
    assert done.returncode == 1 and "not there any more" in done.stderr


def test_the_warm_up_is_checked(work: Path, tmp_path: Path) -> None:
    """Points are simulated again, for longer; the estimate says what that changes."""
    here = tmp_path / "again"
    shutil.copytree(work, here)
    picked = commands.run("points", "out", "--warmup", "1k", "--warmup-check", "4", cwd=here)
    assert picked.returncode == 0 and "the warm-up is checked at" in picked.stdout
    too_early = simulate(here, "--warmup-check")
    assert too_early.returncode == 3 and "without --warmup-check" in too_early.stderr
    assert simulate(here, "-q", "--warmup", "1k").returncode == 0
    other = simulate(here, "--warmup-check", "--config", "paper")
    assert other.returncode == 2 and "another machine" in other.stderr
    for wrong in ("--full", "--warmup=2k", "--points=x"):
        assert simulate(here, "--warmup-check", wrong).returncode == 2
    done = simulate(here, "--json", "--warmup-check")
    assert done.returncode == 0 and done.stdout.splitlines()[0] == "begin"
    of = points_csv.read(here / "out/points.csv")
    assert of.check is not None and of.check.sum() == 4
    warmed = metrics_csv.read(here / "out/warmup-metrics.csv")
    assert set(warmed.index.tolist()) == set(of.interval[of.check > 0].tolist())
    first = (here / "out/warmup-metrics.csv").read_bytes().splitlines()[0]
    assert b"command: simulate --warmup-check; times: 16; configuration: modern " in first
    told = commands.run("estimate", "out", "--json", cwd=here)
    (bias,) = json.loads(told.stdout)["metrics"]["cpi"]["biases"]
    assert bias["source"] == "warm-up" and bias["corrected"] and bias["measurements"] == len(warmed)
    assert commands.run("check", "out", cwd=here).returncode == 0
    assert simulate(here, "-q", "--warmup", "2k").returncode == 0  # other points' results are not of these
    assert not (here / "out/warmup-metrics.csv").exists()
