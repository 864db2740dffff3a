"""phasemark check: each file by itself, and the files of a run against one another."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from tests.formats.samples import DATA, SAMPLES
from tests.formats.test_import_command import run
from tests.workflow.runs import three_phases

from phasemark import formats
from phasemark.checking import check, check_file
from phasemark.formats.vectors import profiles
from phasemark.model import Metrics
from phasemark.store import hdf5, metrics_csv, points_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import PhaseOptions, Run

GEM5 = DATA / "gem5-bootcamp"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder, as the commands write it."""
    folder = Folder(tmp_path_factory.mktemp("run")).create()
    profile_h5.write(folder.profile, profiles.read([GEM5 / "simpoint.bb.gz"]))
    Run(folder.path).find_phases(PhaseOptions(k=3))
    Run(folder.path).pick_points()
    return folder.path


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "run"))


def wrong(path: Path) -> list[str]:
    return [str(checked.error) for checked in check([path]) if checked.error is not None]


def test_what_the_commands_write_is_good(good: Path) -> None:
    found = {checked.path.name: checked for checked in check([good])}
    assert all(checked.error is None for checked in found.values())
    assert set(found) >= {
        "run.json",
        "profile.h5",
        "model.h5",
        "phases.csv",
        "points.csv",
        "weights",
        "labels",
    }
    assert found[good.name].found == (
        "run: profile.h5, model.h5, phases.csv, points.csv, simpoints, weights, labels agree"
    )


def edit(file: str, change: Callable[[list[str]], None]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        lines = (folder / file).read_text().splitlines()
        change(lines)
        (folder / file).write_text("\n".join(lines) + "\n")

    return apply


def set_field(file: str, line: int, column: int, value: str, separator: str = ",") -> Callable[[Path], None]:
    def change(lines: list[str]) -> None:
        fields = lines[line].split(separator)
        fields[column] = value
        lines[line] = separator.join(fields)

    return edit(file, change)


def cut(file: str) -> Callable[[Path], None]:
    return edit(file, lambda lines: lines.pop())


def bend_profile(folder: Path) -> None:
    path = folder / "profile.h5"
    with h5py.File(path, "r+") as file:
        file["counts/data"][0] += 1
    path.write_bytes(hdf5.sealed_content(path.read_bytes()))


@pytest.mark.parametrize(
    ("bend", "said"),
    [
        (bend_profile, r"profile.h5, row 0: the counts of an interval do not sum"),
        (set_field("points.csv", 3, 4, "1000009"), r"points.csv, row 1: the point does not start where"),
        (set_field("points.csv", 3, 5, "6000001"), r"points.csv, row 1: the point does not end where"),
        (
            set_field("points.csv", 3, 2, "99"),
            r"points.csv, row 1: the point's interval is not in",
        ),
        (set_field("points.csv", 3, 3, "2"), r"points.csv, row 1: the point's interval is of another phase"),
        (set_field("points.csv", 3, 7, "0.9"), r"points.csv: the weights of the points sum to"),
        (set_field("points.csv", 3, 7, "x"), r"points.csv:4: weight is 'x', not a number"),
        (
            set_field("phases.csv", 4, 3, "7"),
            r"phases.csv, row 2: an interval starts before the one ahead of it ends",
        ),
        (set_field("phases.csv", 4, 6, "0"), r"phases.csv, row 2: phase differs"),
        (set_field("phases.csv", 4, 7, "nan"), r"phases.csv, row 2: the distance is negative or no number"),
        (cut("phases.csv"), r"phases.csv: 8 rows for 9 intervals"),
        (set_field("weights", 0, 0, "0.3", " "), r"weights: says 0.3 for cluster 0"),
        (set_field("simpoints", 1, 0, "1", " "), r"simpoints: says 1 for cluster 1, points.csv says"),
        (cut("simpoints"), r"simpoints: cluster 2 is missing from it"),
        (set_field("labels", 3, 0, "0", " "), r"labels, row 3: the label differs"),
        (cut("labels"), r"labels: 8 labels for 9 intervals"),
        (edit("run.json", lambda lines: lines.pop(0)), r"run.json: is no run.json"),
    ],
)
def test_a_bent_file_is_named_with_its_row(folder: Path, bend: Callable[[Path], None], said: str) -> None:
    bend(folder)
    (sentence,) = wrong(folder)
    assert re.search(said, sentence), sentence
    assert "hint:" in sentence or "sum to" in sentence or "not a number" in sentence or "counts" in sentence


@pytest.mark.parametrize(
    ("text", "kind"),
    [("0 0\n4 1\n", "simpoints"), ("1 0\n0.0 1\n", "weights"), ("0 0\n1 0.0495\n", "labels")],
)
def test_files_of_any_name_are_told_by_any_of_their_lines(tmp_path: Path, text: str, kind: str) -> None:
    (tmp_path / "x").write_text(text)
    assert check_file(tmp_path / "x").found.startswith(f"{kind}: 2 ")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_vectors_of_every_dialect_are_checked(tmp_path: Path, name: str) -> None:
    (tmp_path / "v").write_bytes(SAMPLES[name].content)
    assert check_file(tmp_path / "v").found.startswith(f"{name} vectors: ")
    (tmp_path / "v").write_bytes(b"T:1:x\n" + SAMPLES[name].content)
    assert "v:1: an entry has no whole count" in wrong(tmp_path / "v")[0]


def test_a_simpoints_and_a_weights_file_are_checked_as_a_pair(tmp_path: Path) -> None:
    found = list(check([GEM5 / "results.simpts", GEM5 / "results.weights"]))
    assert [checked.found for checked in found] == [
        "simpoints: 3 clusters", "weights: 3 clusters", "pair with results.simpts: 3 points",
    ]  # fmt: skip
    (tmp_path / "w").write_text("0.5 0\n0.5 1\n")
    *_, pair = check([GEM5 / "results.simpts", tmp_path / "w"])
    assert pair.error is not None
    assert "cluster 3" in pair.error.message


def test_a_folder_without_a_run_is_wrong(tmp_path: Path) -> None:
    assert wrong(tmp_path) == [
        f"{tmp_path}: holds no file of a run\n  hint: name a folder that phasemark wrote, or a file"
    ]


def test_the_command_prints_a_line_a_file_and_exits_3_on_anything_wrong(folder: Path) -> None:
    done = run("check", folder)
    assert done.returncode == 0
    assert done.stdout.count("ok ") == len(done.stdout.splitlines()) == 9
    assert run("check", "-q", folder).stdout == ""
    cut("labels")(folder)
    done = run("check", "--json", folder, DATA / "edge-cases" / "base.bb")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert [entry["ok"] for entry in found].count(False) == 1
    assert found[-1]["ok"]


def with_metrics(folder: Path, **changed: object) -> Folder:
    files = Folder(folder)
    points, table = points_csv.read(files.points), profile_h5.read(files.profile).interval_table
    key = {name: getattr(table, name) for name in ("run", "thread", "index", "start", "length")}
    metrics_csv.write(files.metrics, Metrics(**key, counters={"cycles": table.length * 2.0}), made_by={})
    key = {"run": points.run, "thread": points.thread, "index": points.interval, "start": points.start}
    key |= {"length": points.end - points.start, **changed}
    of_points = Metrics(**key, counters={"cycles": key["length"] * 1.0})
    metrics_csv.write(files.point_metrics, of_points, made_by={})
    return files


def test_metrics_are_checked_and_held_against_the_run(folder: Path) -> None:
    files = with_metrics(folder)
    assert wrong(folder) == []
    assert "metrics: 9 rows of 1 counter" in check_file(files.metrics).found
    shifted = with_metrics(folder, start=points_csv.read(files.points).start + 1)
    assert any("point-metrics.csv, row 0: interval" in said for said in wrong(folder))
    shifted.point_metrics.unlink()
    text = files.metrics.read_text().replace("\n0,0,8,", "\n0,0,9,")
    files.metrics.write_text(text)
    assert any("none of the profile's" in said for said in wrong(folder))
    files.metrics.write_text(text.replace("0,0,9,", "0,0,x,"))
    assert any("index is 'x', not a whole number" in said for said in wrong(folder))


def test_what_was_measured_of_earlier_points_may_stay(folder: Path) -> None:
    files = with_metrics(folder)
    intervals, points = profile_h5.read_intervals(files.profile), points_csv.read(files.points)
    other = np.flatnonzero(~np.isin(intervals.index, points.interval))[-1:]
    earlier = {
        name: np.append(getattr(points, name), getattr(intervals, name)[other]) for name in ("run", "thread")
    }
    with_metrics(
        folder,
        **earlier,
        index=np.append(points.interval, intervals.index[other]),
        start=np.append(points.start, intervals.start[other]),
        length=np.append(points.end - points.start, intervals.length[other]),
    )
    assert wrong(folder) == []
    assert "point-metrics.csv (with 1 interval that no point is now)" in run("check", folder).stdout


def test_metrics_of_other_tools_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("phase,cycles\n0,1\n1,\n")
    assert check_file(path).found == "CSV with a heading: 2 rows of metrics"
    path.write_text("phase,cycles\n0,-1\n")
    assert "cycles is negative" in str(check_file(path).error)
    path.write_text("0.1,100,,instructions,10,100.00,,\n")
    assert check_file(path).found == "perf stat -x or -j: 1 row of metrics"


@pytest.mark.parametrize(
    ("target", "file", "found"),
    [
        ("pinpoints", "app.pinpoints.csv", "PinPoints' regions: 3"),
        ("champsim", "champsim.csv", "ChampSim's points: 3"),
        ("nemu", "simpoint_summary.json", "XiangShan's points: 3"),
    ],
)
def test_what_is_exported_is_checked(good: Path, tmp_path: Path, target: str, file: str, found: str) -> None:
    points = points_csv.read(good / "points.csv")
    formats.export(formats.Exportable("app", profile_h5.read(good / "profile.h5"), points), target, tmp_path)
    assert check_file(tmp_path / file).found == found
    text = (tmp_path / file).read_text()
    weight = re.search(r"0\.[1-9]\d*", text[text.rindex("0.") :])
    assert weight is not None
    (tmp_path / file).write_text(text.replace(weight[0], "0.999"))
    assert "the weights sum to" in wrong(tmp_path / file)[0]


def test_what_is_exported_and_bent_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("skip,warmup,simulate,weight\n0,0,5,0.5\n0,0,0,0.5\n")
    assert "x, row 1: there is no instruction in it" in wrong(path)[0]
    path.write_text("# Regions\ncluster 0 from slice 0,0,1,7,7,1\n")
    assert "x:2: there is no instruction in it" in wrong(path)[0]
    for content, said in (
        ('"points": {"1": "x"}', "'x' is no number from 0"),
        ('"points": {"1": ["1"]}', "is no number from 0"),
        ('"points": {', "is no summary of XiangShan's"),
    ):
        path.write_text('{"app": {"insts": "9", ' + content + "}}")
        assert said in wrong(path)[0]


@pytest.mark.parametrize(("method", "said"), [("max-likelihood-2", []), ("max-likelihood-1", ["of another"])])
def test_a_point_lies_in_another_phase_only_where_all_are_looked_at(tmp_path: Path, method, said) -> None:
    run = Run(three_phases(tmp_path / "run").path)
    points = run.pick_points().points
    run.save(points=dataclasses.replace(points, phase=np.roll(points.phase, 1), method=method))
    found = wrong(run.folder.path)
    assert len(found) == len(said) and all(part in text for part, text in zip(said, found, strict=True))
