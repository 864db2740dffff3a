"""Guards, from `phasemark points --guard` to the estimate, its file, and what other tools get."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import run, simulate, three_phases

from phasemark import checking
from phasemark.errors import PhasemarkError
from phasemark.estimates import estimate
from phasemark.formats.points import simpoint_files
from phasemark.model import Metrics, Points
from phasemark.store import estimate_csv, metrics_csv, points_csv, tables
from phasemark.store.folder import Folder
from phasemark.views.reading import read as read_analysis
from phasemark.workflow import Run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """With ten guards, simulated."""
    made = three_phases(tmp_path_factory.mktemp("guards") / "run")
    run("points", made.path, "--guard", 10)
    simulate(made)
    return made


def test_the_points_and_what_is_said_of_them(folder: Folder) -> None:
    chosen = points_csv.read(folder.points)
    assert chosen.method == "nearest" and chosen.is_guard.sum() == 10 and len(chosen) == 13
    said = run("points", folder.path, "--guard", 10)
    assert "3 points and 10 guards of 13,000 instructions" in said and "  guard  " in said
    assert "10 guards among them: they weigh nothing" in " ".join(said.split())
    told = json.loads(run("points", folder.path, "--guard", 10, "--json"))
    assert sum(bool(point["guard"]) for point in told["points"]) == 10
    assert folder.point_metrics.exists()  # the same points: what was measured stays
    checking.check(folder.path)


def test_the_estimate_tells_the_bias(folder: Folder) -> None:
    said = run("estimate", folder.path)
    assert "3 points and 10 guards, method nearest" in said
    assert "the points are not off by more than chance: cpi" in said or "is corrected" in said
    told = json.loads(run("estimate", folder.path, "--json"))["metrics"]
    (bias,) = told["cpi"]["biases"]
    assert bias["source"] == "guards" and bias["measurements"] == 10 and "biases" not in told["ipc"]
    columns = {"guards_bias": tables.Optional, "guards_bias_error": tables.Optional, "guards_corrected": str}
    table = tables.read(folder.estimate, columns)
    assert float(table["guards_bias"][0]) == bias["value"]
    assert table["guards_corrected"] == [str(int(bias["corrected"])), ""]
    assert estimate_csv.read(folder.estimate)[0].value == told["cpi"]["value"]


def test_a_weighted_sum_is_the_nearest_points(folder: Folder, tmp_path: Path) -> None:
    """Older readers, and simulators' scripts: a guard weighs nothing."""
    exported = Run(folder.path).export("gem5", tmp_path)
    assert any("10 guards among the points with a weight of 0" in note for note in exported.notes)
    pair = simpoint_files.read_pair(tmp_path / "simpoints", tmp_path / "weights")
    chosen = points_csv.read(folder.points)
    assert pair.interval.tolist() == chosen.interval.tolist()
    assert pair.weight.tolist() == pytest.approx(chosen.weight.tolist(), rel=1e-5)
    for target in ("simpoint", "pinpoints", "champsim", "nemu"):
        Run(folder.path).export(target, tmp_path / target)
    lines = [line.rsplit(",", 1)[0] for line in folder.points.read_text().splitlines()]
    (tmp_path / "points.csv").write_text("\n".join(lines) + "\n")
    older = points_csv.read(tmp_path / "points.csv")
    assert older.guard is None and older.weight.tolist() == chosen.weight.tolist()


def test_the_page_shows_points_alone(folder: Folder) -> None:
    assert len(read_analysis(folder.path).points) == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--guard", 1), "of fewer than 2"),
        (("--guard", 4, "--budget", 9), "is random already"),
        (("--guard", 4, "--per-phase", 2), "is random already"),
        (("--guard", 4, "--method", "systematic"), "takes no typical interval"),
    ],
)
def test_what_cannot_be(folder: Folder, options: tuple[object, ...], said: str) -> None:
    before = folder.points.read_bytes()
    with pytest.raises(PhasemarkError, match=said):
        run("points", folder.path, *options)
    assert folder.points.read_bytes() == before


def test_several_nearest_points_of_each_phase(folder: Folder) -> None:
    several = Run(folder.path).pick_points(method="nearest", per_phase=2, guard=6).points
    assert several.is_guard.sum() == 6 and len(several) == 12
    assert np.unique(several.interval).size == 12


def test_beside_points_of_another_tool(tmp_path: Path) -> None:
    """Two points of SimPoint's files, without phases and with labels: no bar of their own, one by guards."""
    made = three_phases(tmp_path / "run")
    (tmp_path / "a.simpts").write_text("10 0\n30 1\n")
    (tmp_path / "a.weights").write_text("0.6 0\n0.4 1\n")
    files = ("--from", tmp_path / "a.simpts", "--from", tmp_path / "a.weights")
    run("points", made.path, *files, "--guard", 20, "--seed", 2, "--warmup-check", 4, "--warmup", 50)
    chosen = points_csv.read(made.points)
    assert chosen.method == "given" and chosen.is_guard.sum() == 20
    assert chosen.check is not None and chosen.check.sum() == 4
    entry = made.entry_of("points")
    assert (entry["guard"], entry["warmup_check"], entry["seed"]) == (20, 4, 2)
    simulate(made)
    full = metrics_csv.read(made["full.csv"])
    truth = full.counters["cycles"].sum() / full.length.sum()
    told = json.loads(run("estimate", made.path, "--json"))["metrics"]["cpi"]
    assert told["interval"][0] <= truth <= told["interval"][1] and told["biases"][0]["source"] == "guards"
    with pytest.raises(PhasemarkError, match="no profile"):
        run("points", tmp_path / "new", *files, "--interval", 1000, "--guard", 6)
    with pytest.raises(PhasemarkError, match="as another tool chose them"):
        run("points", made.path, *files, "--seed", 2)


def test_of_given_points_without_known_phases_by_hand() -> None:
    """Points of 2 and 4 that weigh a half each say 3; their own tenth each is known, eight guards are all."""
    values = np.array([2.0, 4.0, *[1.0] * 4, *[3.0] * 4])
    rows = np.arange(10)
    points = Points(
        run=rows * 0,
        thread=rows * 0,
        interval=rows,
        phase=[0, 1, *[0] * 8],
        start=rows * 1000,
        end=rows * 1000 + 1000,
        warmup=rows * 0,
        weight=[0.5, 0.5, *[0] * 8],
        population=[0, 0, *[8] * 8],
        strata=[0, 1, *[2] * 8],
        guard=[0, 0, *[0.1] * 8],
        method="given",
    )
    keys = (rows * 0, rows * 0, rows, rows * 1000, rows * 0 + 1000)
    found = estimate(points, Metrics(*keys, {"cycles": values * 1000}), names="cpi")
    assert found.value["cpi"] == pytest.approx(values.mean())
    assert found.interval["cpi"] == pytest.approx((values.mean(),) * 2)
    assert found.biases["cpi"][0].value == pytest.approx(3 - values.mean())


def test_guards_come_back_with_their_table(tmp_path: Path) -> None:
    made = three_phases(tmp_path / "run")
    run("points", made.path, "--guard", 8, "--warmup-check", 2)
    before = points_csv.read(made.points)
    (tmp_path / "points.csv").write_text(made.points.read_text())
    run("points", made.path, "--from", tmp_path / "points.csv")
    again = points_csv.read(made.points)
    assert again.frame().equals(before.frame()) and again.is_guard.sum() == 8
