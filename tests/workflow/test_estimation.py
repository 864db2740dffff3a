"""phasemark points and estimate: from a folder to estimates with error bars."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from typer.testing import CliRunner

from phasemark.cli.app import application
from phasemark.errors import DataError, PhasemarkError, UsageError, WorkError
from phasemark.model import Blocks, Counts, Intervals, Metrics, Profile, Provenance
from phasemark.store import metrics_csv, points_csv, profile_h5, tables
from phasemark.store.folder import Folder
from phasemark.workflow import PhaseOptions, PointOptions, Run
from phasemark.workflow.points import measured_so_far

LENGTH = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A run of three phases, 20 intervals each, whose CPI is 1, 2 and 4, give or take."""
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1, 2], 20)
    rows = []
    for label in labels:
        shares = np.full(6, 20)
        shares[2 * label] += 400 + rng.integers(-80, 80)
        shares[2 * label + 1] += LENGTH - shares.sum()
        rows.append(shares)
    counts = np.array(rows)
    n = len(counts)
    intervals = Intervals.of_thread(np.full(n, LENGTH))
    profile = Profile(
        Blocks(("",), np.zeros(6), np.arange(1, 7), np.ones(6), np.ones(6), np.arange(1, 7)),
        intervals,
        Counts(np.arange(n + 1) * 6, np.tile(np.arange(6), n), counts.ravel(), 6),
        Provenance(tool="test", interval=LENGTH),
    )
    out = Folder(tmp_path / "run").create()
    profile_h5.write(out.profile, profile)
    out.record("profile", {})
    Run(out.path).find_phases(PhaseOptions(k=3))
    cycles = np.array([1.0, 2.0, 4.0])[labels] * LENGTH + rng.normal(0, 60, n)
    zeros = np.zeros(n, np.int64)
    full = Metrics(zeros, zeros, np.arange(n), intervals.start, intervals.length, {"cycles": cycles})
    metrics_csv.write(out["full.csv"], full, made_by={})
    return out


def full_run(folder: Folder) -> Metrics:
    metrics = metrics_csv.read(folder["full.csv"])
    metrics_csv.write(folder.metrics, metrics, made_by={})
    return metrics


def simulate(folder: Folder, gone: tuple[int, ...] = ()) -> None:
    """What a simulator of the points would write."""
    metrics, points = metrics_csv.read(folder["full.csv"]), points_csv.read(folder.points)
    rows = np.array([row for row in points.interval.tolist() if row not in gone])
    keys = (getattr(metrics, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    metrics_csv.write(
        folder.point_metrics, Metrics(*keys, {"cycles": metrics.counters["cycles"][rows]}), made_by={}
    )


def run(*arguments: object) -> str:
    done = CliRunner().invoke(
        application(), [str(argument) for argument in arguments], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def test_estimates_from_simulated_points(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 5)
    simulate(folder)
    said = json.loads(run("estimate", folder.path, "--json"))
    cpi = said["metrics"]["cpi"]
    metrics = metrics_csv.read(folder["full.csv"])
    whole = metrics.counters["cycles"].sum() / (60 * LENGTH)
    assert said["method"] == "stratified" and said["points"] == 15
    assert cpi["interval"][0] < whole < cpi["interval"][1]
    assert cpi["value"] == pytest.approx(whole, rel=0.05)
    assert cpi["full"] is None and cpi["error"] is None and cpi["covered"] is None
    assert tables.read(folder.estimate, {"metric": str, "value": float})["value"][0] == cpi["value"]


def test_compared_with_the_full_run_where_that_is_known(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 5)
    full_run(folder)
    text = run("estimate", folder.path)
    assert "15 points, method stratified" in text and "covered" in text and "yes" in text
    found = tables.read(folder.estimate, {"metric": str, "value": float, "full": tables.Optional})
    assert found["full"][0] == pytest.approx(7 / 3, rel=0.02)
    assert folder.steps()["estimate"]["confidence"] == 0.95


def test_a_full_run_with_holes_is_none(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    metrics = metrics_csv.read(folder["full.csv"])
    keys = (getattr(metrics, name)[1:] for name in ("run", "thread", "index", "start", "length"))
    metrics_csv.write(folder.metrics, Metrics(*keys, {"cycles": metrics.counters["cycles"][1:]}), made_by={})
    assert json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["full"] is None
    with pytest.raises(DataError, match="metrics of every interval"):
        Run(folder.path).estimate_over_seeds(3)


def test_missing_points_are_said_and_widen(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 4)
    gone = int(points_csv.read(folder.points).interval[0])
    halves = []
    for missing in ((), (gone,)):
        simulate(folder, missing)
        said = json.loads(run("estimate", folder.path, "--json"))
        low, high = said["metrics"]["cpi"]["interval"]
        halves.append(high - low)
    assert said["metrics"]["cpi"]["missing"] == [gone]
    assert said["metrics"]["cpi"]["coverage"] == pytest.approx(1 - 1 / 12)
    assert any("1 of 12 points missing" in note for note in said["notes"])
    assert halves[1] > 1.3 * halves[0]


def test_results_of_any_simulator(folder: Folder) -> None:
    run("points", folder.path)
    points = points_csv.read(folder.points)
    results = folder["results.csv"]
    results.write_text("phase,cpi\n" + "".join(f"{phase},{phase + 1}\n" for phase in points.phase))
    said = json.loads(run("estimate", folder.path, "--metrics", results, "--json"))
    assert said["metrics"]["cpi"]["value"] == pytest.approx(2.0)
    assert said["metrics"]["ipc"]["value"] == pytest.approx(0.5)


def test_over_seeds(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 3)
    full_run(folder)
    said = json.loads(run("estimate", folder.path, "--seeds", 6, "--json"))
    seeds = said["metrics"]["cpi"]["seeds"]
    assert len(set(seeds["values"])) == 6 and seeds["covered"] >= 5 / 6
    assert "over 6 seeds" in run("estimate", folder.path, "--seeds", 6)
    before = folder.points.read_bytes()
    assert folder.points.read_bytes() == before
    with pytest.raises(UsageError, match="compare at least 2"):
        Run(folder.path).estimate_over_seeds(1)


def test_a_target_error_starts_from_a_pilot_and_says_how_many_more(folder: Folder) -> None:
    first = json.loads(run("points", folder.path, "--target-error", "3%", "--json"))
    assert any("a proxy from the distances" in note for note in first["notes"])
    assert folder.steps()["points"]["deviations"] == "proxy"
    assert "spread: proxy" in folder.points.read_text().splitlines()[0]
    chosen = {point["interval"] for point in first["points"]}
    simulate(folder)
    second = json.loads(run("points", folder.path, "--target-error", "0.5%", "--json"))
    assert folder.steps()["points"]["deviations"] == "pilot"
    assert folder.point_metrics.exists()
    assert chosen < {point["interval"] for point in second["points"]}
    more = folder.steps()["points"]["more"]
    assert sum(more.values()) == len(second["points"]) - len(first["points"])
    assert any(f"{sum(more.values())} more points are needed: phase" in note for note in second["notes"])
    simulate(folder)
    low, high = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["interval"]
    assert (high - low) / (high + low) < 0.008
    third = json.loads(run("points", folder.path, "--target-error", "50%", "--json"))
    assert any("no more points are needed" in note for note in third["notes"])


def test_the_full_run_of_another_machine_is_not_compared_with(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    full_run(folder)
    folder.record("simulation", {"configuration": {"name": "modern", "digest": "1"}})
    folder.record("metrics", {"configuration": {"name": "paper", "digest": "2"}})
    found = json.loads(run("estimate", folder.path, "--json"))
    assert found["metrics"]["cpi"]["full"] is None
    assert any("simulated on paper (2), the points on modern (1)" in note for note in found["notes"])
    folder.record("metrics", {"configuration": {"name": "copy", "digest": "1"}})
    assert json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["full"] is not None


def test_metrics_of_another_run_are_refused(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    metrics = full_run(folder)
    other = dataclasses.replace(metrics, start=metrics.start * 2, length=metrics.length * 2)
    metrics_csv.write(folder.metrics, other, made_by={})
    with pytest.raises(DataError, match=r"metrics\.csv.*none of the profile's"):
        Run(folder.path).estimate()
    metrics_csv.write(folder.point_metrics, other, made_by={})
    with pytest.raises(DataError, match=r"point-metrics\.csv.*none of the profile's"):
        Run(folder.path).pick_points(PointOptions(budget=9))
    assert len(Run(folder.path).pick_points(PointOptions()).points) == 3


def test_the_whole_run_in_one_is_no_pilot(folder: Folder) -> None:
    zero = np.zeros(1, np.int64)
    whole = Metrics(zero, zero, zero, zero, np.array([60 * LENGTH]), {"cycles": np.array([1e5])})
    metrics_csv.write(folder.metrics, whole, made_by={})
    Run(folder.path).pick_points(PointOptions(budget=9))
    assert folder.steps()["points"]["deviations"] == "proxy"


def test_a_pilot_outlives_a_full_disk(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    run("points", folder.path, "--budget", 9)
    simulate(folder)
    folder.record("simulation", {"who": "us"})
    before = folder.point_metrics.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise WorkError("no space left")

    monkeypatch.setattr(points_csv, "write", full)
    with pytest.raises(WorkError, match="no space"):
        Run(folder.path).pick_points(PointOptions(budget=12))
    assert folder.point_metrics.read_bytes() == before
    assert folder.steps()["simulation"]["who"] == "us"


def test_more_of_each_phase_than_any_has_is_everything(folder: Folder) -> None:
    found = json.loads(run("points", folder.path, "--per-phase", 10**30, "--json"))
    assert len(found["points"]) == 60


def test_a_budget_goes_where_phases_vary(folder: Folder) -> None:
    found = json.loads(run("points", folder.path, "--budget", 17, "--json"))
    assert len(found["points"]) == 17 and found["method"] == "stratified"
    everything = json.loads(run("points", folder.path, "--budget", 9999, "--json"))
    assert len(everything["points"]) == 60
    random = json.loads(run("points", folder.path, "--budget", 2, "--method", "random", "--json"))
    assert len(random["points"]) == 2 and random["method"] == "random"


def test_the_points_stay_those_of_simpoint_unless_more_are_asked_for(folder: Folder) -> None:
    plain = json.loads(run("points", folder.path, "--json"))
    assert plain["method"] == "nearest" and len(plain["points"]) == 3
    assert (folder["simpoints"].read_text().split()[1::2]) == ["0", "1", "2"]


def test_the_same_bytes_again(folder: Folder) -> None:
    full_run(folder)
    written = []
    for _ in range(2):
        run("points", folder.path, "--budget", 12, "--seed", 7)
        run("estimate", folder.path)
        written.append([folder.points.read_bytes(), folder.estimate.read_bytes()])
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"per_phase": 2, "budget": 10}, "per_phase and budget each say how many"),
        ({"budget": 0}, "^budget is 0"),
        ({"target_error": -0.1}, "target_error is -0.1"),
        ({"target_error": 0.1, "method": "nearest"}, "samples phases at random"),
        ({"early": True, "per_phase": 2}, "early takes one near interval"),
        ({"confidence": 1.0}, "confidence is 1"),
        ({"confidence": 1 - 1e-16}, "confidence is 1"),
        ({"method": "best"}, "no method is called 'best'"),
    ],
)
def test_contradictions_are_refused(options, said) -> None:
    with pytest.raises(UsageError, match=said):
        PointOptions(**options).check()


def test_what_is_not_there_is_said(folder: Folder) -> None:
    with pytest.raises(DataError, match="run `phasemark points` first"):
        Run(folder.path).estimate()
    run("points", folder.path)
    with pytest.raises(DataError, match="run `phasemark simulate` first"):
        Run(folder.path).estimate()
    folder.metrics.write_text("run,thread,index,start,length,cycles\n0,0,0,0,60000,90000\n")
    with pytest.raises(DataError, match="the whole run as one, and nothing of its points"):
        Run(folder.path).estimate()
    folder.point_metrics.write_text("run,thread,index,start,length,cycles\n0,0,0,0,1000,nothing\n")
    with pytest.raises(PhasemarkError, match="nothing"):
        Run(folder.path).estimate()


def test_exit_statuses(folder: Folder) -> None:
    for arguments, status, said in (
        (("estimate", folder.path / "no"), 3, "phasemark points"),
        (("estimate", folder.path, "--confidence", "much"), 2, "no share"),
        (("points", folder.path, "--target-error", "2 percent"), 2, "write 2% or 0.02"),
        (("points", folder.path, "--budget", "2"), 2, "cannot stand for 3 phases"),
        (("points", folder.path, "--coverage", "60%"), 0, ""),
        (("points", folder.path, "--coverage", "95"), 2, "coverage"),
        (("quality", folder.path, "--confidence", "sure"), 2, "no share"),
    ):
        done = commands.run(*arguments)
        assert (done.returncode, said in done.stderr) == (status, True), done.stderr


def test_an_interval_that_is_not_bounded_is_null_in_json(folder: Folder) -> None:
    run("points", folder.path, "--budget", 3, "--method", "start")
    full_run(folder)
    cpi = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]
    assert cpi["standard_error"] is None and cpi["interval"] == [0.0, None] and cpi["covered"]
    assert "not bounded" in run("estimate", folder.path)
    assert math.isinf(tables.read(folder.estimate, {"high": float})["high"][0])


def test_nothing_measured_is_no_pilot(folder: Folder) -> None:
    assert measured_so_far(folder, Intervals.of_thread(np.full(60, LENGTH))) is None


def test_a_share_is_written_as_one_likes(folder: Folder) -> None:
    full_run(folder)
    for command in (("points", "--coverage"), ("quality", "--confidence")):
        percent, part = (run(command[0], folder.path, command[1], share) for share in ("90%", "0.9"))
        assert percent == part


def test_imported_cycles_are_said_to_give_a_cpi(folder: Folder) -> None:
    run("points", folder.path)
    folder["results.csv"].write_text("phase,cpi\n0,1\n1,2\n2,3\n")
    text = run("import", "--metrics", folder["results.csv"], "-o", folder.path)
    assert "3 rows of 1 counter by results.csv, of points" in text and "ratios: cpi" in text
