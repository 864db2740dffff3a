"""Guards, from `phasemark points --guard` to the estimate, its file, and what other tools get."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import run, simulate, three_phases

from phasemark import checking
from phasemark.errors import PhasemarkError
from phasemark.formats.points import simpoint_files
from phasemark.store import estimate_csv, points_csv, tables
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
    with pytest.raises((PhasemarkError, SystemExit, AssertionError), match=said):
        run("points", folder.path, *options)
    assert folder.points.read_bytes() == before


def test_several_nearest_points_of_each_phase(folder: Folder) -> None:
    several = Run(folder.path).pick_points(method="nearest", per_phase=2, guard=6).points
    assert several.is_guard.sum() == 6 and len(several) == 12
    assert np.unique(several.interval).size == 12
