"""Points that another tool chose, as the points of a run: by commands, from files to an estimate."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from tests.workflow.runs import LENGTH, full_run, run, simulate, three_phases

from phasemark import views
from phasemark.errors import DataError, UsageError
from phasemark.formats.points import exports
from phasemark.store import points_csv
from phasemark.store.folder import Folder
from phasemark.workflow import PointOptions, Run

ROOT = Path(__file__).parents[2]
GEM5 = ROOT / "tests" / "data" / "gem5-bootcamp"
PAIR = ("--from", GEM5 / "results.simpts", "--from", GEM5 / "results.weights")
STATS = [GEM5 / f"simpoint{i}-run-stats.txt.gz" for i in range(3)]
FULL = GEM5 / "full-run-stats.txt.gz"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return three_phases(tmp_path / "run")


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def estimated(folder: Path) -> dict[str, dict[str, object]]:
    run("import", "--metrics", FULL, "-o", folder, "--quiet")
    run("import", "--metrics", *STATS, "-o", folder, "--quiet")
    metrics: dict[str, dict[str, object]] = json.loads(run("estimate", folder, "--json"))["metrics"]
    return metrics


def test_the_bootcamps_own_choice_is_off_by_a_third_of_a_percent(tmp_path: Path) -> None:
    folder = tmp_path / "gem5"
    run("import", GEM5 / "simpoint.bb.gz", "--stats", FULL, "-o", folder, "--quiet")
    picked = json.loads(run("points", folder, *PAIR, "--json"))
    assert [point["interval"] for point in picked["points"]] == [0, 1, 2]
    assert [point["phase"] for point in picked["points"]] == [3, 1, 0]
    assert picked["method"] == "given" and picked["k"] is None and picked["shares"] is None
    found = estimated(folder)
    assert found["ipc"]["error"] == pytest.approx(0.0031, abs=5e-5)
    assert found["ipc"]["value"] == pytest.approx(1.251638, abs=2e-6)
    assert found["cpi"]["interval"] == [0.0, None] and found["cpi"]["standard_error"] is None
    shown = run("estimate", folder)
    assert "+0.31%" in shown and "no error bar" in shown and "inf" not in shown
    assert commands.run("check", folder).returncode == 0
    entry = Folder(folder).steps()["points"]
    assert entry["files"] == ["results.simpts", "results.weights"] and len(entry["sha256"][0]) == 64
    assert "results.weights" in Folder(folder).points.read_text().splitlines()[0]


def test_the_pages_commands_give_the_pages_figures(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "points-of-others.md").read_text()
    found = re.search(r"```sh bootcamp\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL)
    assert found is not None
    shown = ""
    for line in found[1].replace("out/choice", str(tmp_path / "run")).splitlines():
        _, *words = line.split()
        named = [sorted(ROOT.glob(word)) if "?" in word else [word] for word in words]
        done = commands.run(*(word for words in named for word in words), cwd=ROOT)
        assert done.returncode == 0, done.stderr
        shown = done.stdout
    assert all(row in shown for row in found[2].splitlines())


def test_no_vectors_are_needed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    run("points", folder, *PAIR, "--interval", "1M", "--quiet")
    assert estimated(folder)["ipc"]["error"] == pytest.approx(0.0031, abs=5e-5)
    assert commands.run("check", folder).returncode == 0
    points = points_csv.read(Folder(folder).points)
    for target in ("simpoint", "gem5", "pinpoints", "nemu", "champsim"):
        files = Run(folder).export(target, tmp_path / target).files
        again = Run(tmp_path / f"again-{target}").import_points(files, interval="1M").points
        assert again.interval.tolist() == [0, 1, 2] and again.start.tolist() == points.start.tolist()
        assert again.weight == pytest.approx(points.weight, abs=2e-6)
    for arguments, said in (
        (("points", folder), "hint: run `phasemark phases "),
        (("report", folder), "profile.h5"),
        (("quality", folder), "profile.h5"),
        (("simulate", folder), "profile.h5"),
        (("export", folder, "--to", "bb"), "has no vectors"),
        (("points", tmp_path / "more", *PAIR), "--interval"),
    ):
        done = commands.run(*arguments)
        assert done.returncode in (2, 3) and said in done.stderr and "Traceback" not in done.stderr


def test_the_only_result_is_of_the_only_point_where_it_counts_as_much(tmp_path: Path) -> None:
    files = [write(tmp_path / "simpoints", "2 0\n"), write(tmp_path / "weights", "1 0\n")]
    Run(tmp_path / "new").import_points(files, interval=1_000_000)
    assert Run(tmp_path / "new").import_metrics(STATS[2:]).of == "points"
    assert Run(tmp_path / "new").import_metrics([FULL]).of == "run"


def test_labels_tell_populations_and_so_an_error_bar(folder: Folder, tmp_path: Path) -> None:
    """Phases of SimPoint's files in a folder without any; numbered without gap."""
    labels = Run(folder.path).phases.labels
    folder.discard_from("phases")
    files = [
        write(tmp_path / "a.labels", "".join(f"{2 * label} 0.5\n" for label in labels)),
        write(tmp_path / "a.simpoints", "3 0\n30 2\n50 4\n"),
        write(tmp_path / "a.weights", "0.333333 0\n0.333333 2\n0.333333 4\n"),
    ]
    result = Run(folder.path).import_points(files)
    assert result.points.population.tolist() == [20, 20, 20]
    assert np.isfinite(result.points.spread).all() and result.points.coverage == 1
    assert result.phases is not None and result.phases.labels.tolist() == labels.tolist()
    assert result.notes == ("clusters 0, 2, 4 are phases 0 to 2",)
    full_run(folder)
    simulate(folder)
    cpi = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]
    assert cpi["interval"][1] is not None and cpi["covered"]
    assert commands.run("check", folder.path).returncode == 0
    run("quality", folder.path, "--quiet")
    assert run("report", folder.path)
    assert views.read(folder.path).points.phase.tolist() == [0, 1, 2]
    told = commands.run("points", folder.path, *(word for file in files for word in ("--from", file))).stderr
    assert told == "", "the same phases and points again"
    fewer = write(tmp_path / "a.simpoints", "3 0\n30 2\n"), write(tmp_path / "a.weights", "0.5 0\n0.5 2\n")
    assert Run(folder.path).import_points([*fewer, files[0]]).points.coverage == pytest.approx(2 / 3)


def test_files_in_the_folder_itself_are_read_before_they_are_replaced(folder: Folder) -> None:
    run("points", folder.path, "--quiet")
    before = points_csv.read(folder.points)
    names = ("simpoints", "weights", "labels")
    again = Run(folder.path).import_points([folder[name] for name in names])
    assert again.discarded == (), "what is replaced is not called removed"
    assert again.points.interval.tolist() == before.interval.tolist()
    assert all(folder[name].exists() for name in names)
    assert commands.run("check", folder.path).returncode == 0


@pytest.mark.parametrize("target", ["simpoint", "gem5", "pinpoints", "nemu", "champsim", "points.csv"])
@pytest.mark.parametrize("options", [{}, {"per_phase": 4}, {"coverage": 0.6}])
def test_points_from_this_folders_phases_are_known_again(
    target: str, options: dict[str, float], folder: Folder, tmp_path: Path
) -> None:
    points = Run(folder.path).pick_points(PointOptions(**options)).points  # type: ignore[arg-type]
    if target == "points.csv":
        files = (write(tmp_path / "points.csv", folder.points.read_text()),)
    else:
        files = Run(folder.path).export(target, tmp_path / target).files
    files = tuple(file for file in files if "lpt" in file.name or "coverage" not in options) or files
    chosen = [file for file in files if not file.name.startswith("labels")]
    covered = options.get("coverage") if target not in ("simpoint", "points.csv") else None
    again = Run(folder.path).import_points(chosen, coverage=covered).points
    for name in ("interval", "phase", "start", "end", "population", "spread"):
        assert np.array_equal(getattr(again, name), getattr(points, name)), name
    assert again.weight == pytest.approx(points.weight, abs=2e-6)
    assert again.coverage == pytest.approx(points.coverage)
    assert again.method == (points.method if target == "points.csv" else "given")


def test_points_of_other_phases_keep_their_weights_and_have_no_error_bar(
    folder: Folder, tmp_path: Path
) -> None:
    files = [
        write(tmp_path / "simpoints", "3 0\n4 1\n30 2\n"),
        write(tmp_path / "weights", "0.1 0\n0.2 1\n0.7 2\n"),
    ]
    result = Run(folder.path).import_points(files)
    assert result.points.weight.tolist() == [0.1, 0.2, 0.7]
    assert result.points.phase.tolist() == [0, 0, 1] and not result.points.population.any()
    assert "other phases" in result.notes[0]
    full_run(folder)
    simulate(folder, gone=(4,))
    cpi = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]
    assert cpi["coverage"] == pytest.approx(0.8), "a point of the same phase does not stand for the one gone"
    assert cpi["interval"] == [0.0, None]
    assert commands.run("check", folder.path).returncode == 0
    assert run("report", folder.path)


def test_the_same_files_again_change_nothing_and_others_what_was_made(folder: Folder, tmp_path: Path) -> None:
    given = folder.path, "--from", write(tmp_path / "simpoints", "3 0\n30 1\n"), "--from"
    pair = (*given, write(tmp_path / "weights", "0.5 0\n0.5 1\n"))
    run("points", *pair)
    simulate(folder)
    run("estimate", folder.path)
    assert commands.run("points", *pair).stderr == "" and folder.estimate.exists()
    other = (*given, write(tmp_path / "weights", "0.4 0\n0.6 1\n"))
    told = commands.run("points", *other).stderr
    assert "estimate.csv are removed: they were made before these points" in told
    given_points = points_csv.read(folder.points)
    told = commands.run("points", folder.path).stderr
    assert points_csv.read(folder.points).method == "nearest"
    aside = folder["points.csv~~"]
    assert "`phasemark points " in told and f"--from '{aside}'` brings it back" in told
    run("points", folder.path, "--from", aside)
    again = points_csv.read(folder.points)
    assert again.method == "given" and again.weight.tolist() == given_points.weight.tolist()


def test_phases_found_later_leave_given_points_aside(folder: Folder, tmp_path: Path) -> None:
    files = [write(tmp_path / "simpoints", "3 0\n30 1\n"), write(tmp_path / "weights", "0.5 0\n0.5 1\n")]
    Run(folder.path).import_points(files)
    told = commands.run("phases", folder.path, "--k", 2).stderr
    assert "points.csv is now points.csv~" in told and "--from" in told
    assert folder["points.csv~"].exists() and not folder.points.exists()


def test_what_does_not_go_together_is_wrong_usage(folder: Folder, tmp_path: Path) -> None:
    pair = ("--from", write(tmp_path / "simpoints", "3 0\n"), "--from", write(tmp_path / "weights", "1 0\n"))
    for more in (("--early",), ("--method", "random"), ("--per-phase", 2), ("--budget", 3), ("--seed", 2)):
        done = commands.run("points", folder.path, *pair, *more)
        assert done.returncode == 2 and "as another tool chose them" in done.stderr
    assert commands.run("points", folder.path, "--interval", "1k").returncode == 2
    done = commands.run("points", folder.path, *pair, "--interval", 2 * LENGTH)
    assert done.returncode == 3 and "other intervals" in done.stderr
    assert commands.run("points", folder.path, *pair, "--interval", "auto").returncode == 2
    for told in ({"coverage": 0}, {"coverage": 1.5}, {"warmup": -1}, {"interval": "long"}, {"warmup": 1.5}):
        with pytest.raises(UsageError):
            Run(folder.path).import_points(list(pair[1::2]), **told)  # type: ignore[arg-type]
    run("points", folder.path, *pair)
    full_run(folder)
    with pytest.raises(UsageError, match="chosen elsewhere"):
        Run(folder.path).estimate_over_seeds(2)


def test_points_of_another_run_are_refused_and_leave_all_as_it_was(folder: Folder, tmp_path: Path) -> None:
    run("points", folder.path)
    before = folder.points.read_bytes(), folder.run_json.read_bytes()
    files = [write(tmp_path / "simpoints", "60 0\n"), write(tmp_path / "weights", "1 0\n")]
    with pytest.raises(DataError, match="interval 60 is not in the profile, which has 60"):
        Run(folder.path).import_points(files)
    assert (folder.points.read_bytes(), folder.run_json.read_bytes()) == before


def test_every_target_of_points_takes_given_ones(folder: Folder, tmp_path: Path) -> None:
    files = [write(tmp_path / "simpoints", "3 0\n30 7\n"), write(tmp_path / "weights", "0.5 0\n0.5 7\n")]
    folder.discard_from("phases")
    Run(folder.path).import_points(files)
    for target in exports.TARGETS:
        if target in ("looppoint", "markers"):  # vectors of other tools have no places in the code
            with pytest.raises(UsageError, match="phasemark intervals"):
                Run(folder.path).export(target, tmp_path / target)
        elif target == "trace":  # given points tell nothing of phases
            with pytest.raises(DataError, match="no phases"):
                Run(folder.path).export(target, tmp_path / target)
        else:
            assert Run(folder.path).export(target, tmp_path / target).files
