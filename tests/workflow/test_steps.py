"""phasemark phases and points: files in, files out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.commands import run

import phasemark
from phasemark.errors import DataError, UsageError
from phasemark.store import phases_store, points_csv
from phasemark.store.folder import Folder
from phasemark.workflow import PhaseOptions, PointOptions, Run
from phasemark.workflow.sources import folder_of

DATA = Path(__file__).parents[1] / "data"
BASE = DATA / "edge-cases" / "base.bb"
WRITTEN = ("labels", "model.h5", "phases.csv", "points.csv", "profile.h5", "simpoints", "weights")


def find_and_pick(folder: Folder) -> None:
    phasemark.open(BASE, folder.path).find_phases()
    Run(folder.path).pick_points()


def test_each_step_writes_its_files(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    find_and_pick(folder)
    assert sorted(path.name for path in folder.path.iterdir()) == sorted([*WRITTEN, "run.json"])
    signatures, phases = phases_store.read_model(folder.model)
    assert phases.labels.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert signatures.matrix.shape == (8, 15)
    points = points_csv.read(folder.points)
    # Of the two intervals of the last phase the longer one lies nearer to their weighted mean.
    assert points.interval.tolist() == [1, 3, 7]
    assert points.coverage == 1.0
    with folder.phases.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [int(row["phase"]) for row in rows] == phases.labels.tolist()
    entries = folder.steps()
    assert entries["phases"]["found"] == 3 and entries["points"]["covered"] == 1.0


def test_a_step_done_anew_leaves_nothing_of_the_later_ones(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    find_and_pick(folder)
    later = ("points.csv", "simpoints", "simpoints.t0", "weights.r1.t12", "weights.lpt0.95", "report.html")
    kept = ("simpoints.txt", "weights.t", "notes.md")
    for name in (*later, *kept, "labels.t3", "stability.csv"):
        folder[name].touch()
    Run(folder.path).find_phases(PhaseOptions(max_k=2))
    assert not [name for name in (*later, "labels.t3") if folder[name].exists()]
    assert list(folder.steps()) == ["profile", "phases"]
    assert all(folder[name].exists() for name in (*kept, "stability.csv", "profile.h5", "model.h5"))
    phasemark.open(DATA / "edge-cases" / "same.bb", folder.path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, "profile.h5", "run.json"])


def test_the_same_phases_leave_what_was_made_from_them(tmp_path: Path, capsys) -> None:
    folder = Folder(tmp_path)
    find_and_pick(folder)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    Run(folder.path).find_phases()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    discarded = Run(folder.path).find_phases(PhaseOptions(seed=2)).discarded
    assert discarded[:2] == ("points.csv is removed", "simpoints is removed")
    assert capsys.readouterr() == ("", "")


def test_the_same_points_leave_what_was_measured_of_them(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    find_and_pick(folder)
    folder.point_metrics.write_text("weeks of work")
    folder.record("simulation", {"files": ["stats.txt"]})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    Run(folder.path).pick_points()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    picked = Run(folder.path).pick_points(PointOptions(coverage=0.7))
    assert "point-metrics.csv is now point-metrics.csv~" in picked.discarded


def test_what_another_tool_measured_is_set_aside(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    find_and_pick(folder)
    folder.point_metrics.write_text("weeks of work")
    folder.record("simulation", {"files": ["stats.txt"]})
    told = run("phases", tmp_path, "--max-k", 2).stderr
    assert "phasemark: point-metrics.csv is now point-metrics.csv~\nphasemark: `phasemark import" in told
    assert folder["point-metrics.csv~"].read_text() == "weeks of work"
    assert not folder.point_metrics.exists()


def test_a_recorded_run_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    phasemark.open(BASE, tmp_path)
    folder.record("profile", {"command": ["gzip", "-9"]})
    with pytest.raises(UsageError, match="recorded run of gzip -9"):
        phasemark.open(BASE, tmp_path)
    assert folder.profile.exists()


def test_same_bytes_whatever_the_threads(tmp_path: Path, monkeypatch) -> None:
    for threads in ("1", "2"):
        monkeypatch.setenv("PHASEMARK_THREADS", threads)
        find_and_pick(Folder(tmp_path / threads))
    for name in WRITTEN:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


def test_points_before_phases_say_what_to_do(tmp_path: Path) -> None:
    folder = phasemark.open(BASE, tmp_path).folder
    with pytest.raises(DataError, match=r"run `phasemark phases .*` first"):
        Run(folder.path).pick_points()


def test_folders_of_other_files_stand_beside_them() -> None:
    assert folder_of(Path("a/b.bb.gz")).path == Path("a/b.bb.gz.phasemark")
    assert folder_of(Path("a/profile.h5")).path == Path("a")
    assert folder_of(Path("a/b.bb"), Path("c")).path == Path("c")


def test_the_commands(tmp_path: Path) -> None:
    done = run("phases", BASE, "-o", tmp_path, "--max-k", 5, "--search", "binary", "--seed", 4, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["instructions"], said["intervals"], said["k"], said["coverage"]) == (1996, 8, 3, 1.0)
    assert len(said["points"]) == 3

    done = run("points", tmp_path, "--coverage", 0.7, "--warmup", 100, "--json")
    said = json.loads(done.stdout)
    assert len(said["points"]) == 2 and said["coverage"] == pytest.approx(0.7605, abs=1e-4)
    assert [point["warmup"] for point in said["points"]] == [100, 100]

    text = run("points", tmp_path, "--early").stdout
    assert "1,996 instructions, 8 intervals, 3 phases by code\n" in text
    assert run("points", tmp_path, "--quiet").stdout == ""


def test_exit_statuses(tmp_path: Path) -> None:
    for arguments, status, said in (
        (("phases", BASE, "-o", tmp_path, "--max-k", 0), 2, "max_k is 0"),
        (("phases", BASE, "-o", tmp_path, "--search", "quick"), 2, "search is 'quick'"),
        (("phases", tmp_path / "nothing"), 3, "nothing"),
        (("points", tmp_path / "nothing"), 3, "there is no such file or folder"),
        (("points", tmp_path, "--coverage", 2), 2, "2 is more than the whole"),
    ):
        done = run(*arguments)
        assert (done.returncode, said in done.stderr) == (status, True), done.stderr


def test_what_no_step_foresees_is_a_sentence(tmp_path: Path) -> None:
    done = run("phases", "a" * 300)
    assert done.returncode == 1
    assert done.stderr.startswith("phasemark: aaa") and done.stderr.endswith("File name too long\n")


def test_select_is_used_and_recorded(tmp_path: Path) -> None:
    phasemark.open(BASE, tmp_path).find_phases(PhaseOptions(select="noise-floor"))
    _, found = phases_store.read_model(Folder(tmp_path).model)
    assert found.model["select"] == "noise-floor"
    assert Folder(tmp_path).steps()["phases"]["select"] == "noise-floor"
    assert "select: noise-floor" in Folder(tmp_path).phases.read_text().splitlines()[0]
    done = run("phases", tmp_path, "--select", "best")
    assert done.returncode == 2 and "select is 'best'" in done.stderr and "noise-floor" in done.stderr


def test_stability_compares_seeds_and_leaves_the_phases_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    find_and_pick(folder)
    before = folder.phases.read_bytes(), folder.model.read_bytes(), folder.points.read_bytes()
    done = run("phases", tmp_path, "--stability", "--seeds", 3, "--seed", 5, "--json")
    said = json.loads(done.stdout)
    assert said["seeds"] == [5, 6, 7] and said["k"] == [3, 3, 3]
    assert said["agreement"] == [[1.0] * 3] * 3
    assert before == (folder.phases.read_bytes(), folder.model.read_bytes(), folder.points.read_bytes())
    rows = list(csv.DictReader(folder.stability.read_text().splitlines()[1:]))
    assert [row["seed"] for row in rows] == ["5", "6", "7"]
    assert list(rows[0]) == ["seed", "k", "agreement", "lowest_agreement", "points", "shared_points"]
    assert folder.steps()["stability"]["seeds"] == 3

    text = run("phases", tmp_path, "--stability", "--seeds", 2).stdout
    assert "k from 3 to 3; labels agree to 1.000" in text
    few = run("phases", tmp_path, "--stability", "--seeds", 1)
    assert few.returncode == 2 and "at least 2" in few.stderr
