"""Points that are exported and read again are the points they were."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import of_threads, three_phases

from phasemark.errors import DataError
from phasemark.formats.points import reading
from phasemark.model import Points
from phasemark.store import points_csv, profile_h5
from phasemark.workflow import Run

ONE_THREAD = ("simpoint", "gem5", "pinpoints", "nemu", "champsim")


def keys(points: Points) -> list[tuple[int, ...]]:
    return list(zip(points.thread.tolist(), points.interval.tolist(), points.phase.tolist(), strict=True))


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("per_phase", [1, 3])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_sets_of_threads_with_several_points_a_phase(
    tmp_path: Path, threads: int, per_phase: int, labels: bool
) -> None:
    run = Run(of_threads(tmp_path / "run", threads).path)
    points = run.pick_points(per_phase=per_phase).points
    files = [file for file in run.export("simpoint").files if labels or "labels" not in file.name]
    other = Run(of_threads(tmp_path / "other", threads).path)
    again = other.import_points(files)
    assert keys(again.points) == keys(points)
    assert again.points.weight == pytest.approx(points.weight, abs=1e-5)
    assert any("number points" in note for note in again.notes) == (labels and per_phase > 1)


def test_numbers_that_are_not_those_of_the_export_are_refused(tmp_path: Path) -> None:
    run = Run(of_threads(tmp_path / "run", 2).path)
    run.pick_points(per_phase=6)
    files = run.export("simpoint").files
    for name in ("simpoints.t0", "weights.t0"):
        path = next(file for file in files if file.name == name)
        first, second, *others = path.read_text().splitlines()
        one, other = first.split(), second.split()
        swapped = [f"{one[0]} {other[1]}", f"{other[0]} {one[1]}", *others]
        path.write_text("\n".join(swapped) + "\n")
    with pytest.raises(DataError, match="as the labels say, not of"):
        run.import_points(files)


@pytest.mark.parametrize("target", ONE_THREAD)
def test_what_points_stand_for_is_noted_and_read_again_where_the_format_says_it(
    tmp_path: Path, target: str
) -> None:
    run = Run(three_phases(tmp_path / "run").path)
    points = run.pick_points(coverage=0.5).points
    assert 0.6 < points.coverage < 0.7
    exported = run.export(target)
    (note,) = (note for note in exported.notes if "66.67% of the run" in note)
    lost = target in ("gem5", "nemu")
    assert ("--coverage 66.67%" in note) == lost
    files = [file for file in exported.files if target != "simpoint" or ".lpt" in file.name]
    other = Run(tmp_path / "other")
    profile_h5.write(other.folder.create().profile, run.profile)
    again = other.import_points(files)
    expected = {"simpoint": 0.5, "gem5": 1.0, "nemu": 1.0}.get(target, points.coverage)
    assert again.points.coverage == pytest.approx(expected)
    if lost:
        told = other.import_points(files, coverage=float(note.split()[-1].rstrip("%")) / 100)
        assert told.points.coverage == pytest.approx(points.coverage, abs=1e-4)
    run.pick_points()
    assert not any("of the run" in note for note in run.export(target).notes)


@pytest.mark.parametrize("target", ["pinpoints", "champsim"])
@pytest.mark.parametrize("share", ["1.5", "0"])
def test_a_coverage_that_is_none_is_refused(tmp_path: Path, target: str, share: str) -> None:
    run = Run(three_phases(tmp_path / "run").path)
    covered = repr(float(run.pick_points(coverage=0.5).points.coverage))
    (file,) = run.export(target).files
    assert covered in file.read_text()
    file.write_text(file.read_text().replace(covered, share, 1))
    with pytest.raises(DataError, match="is not above 0 and at most 1"):
        reading.read([file])


def test_tails_of_threads_are_one_note(tmp_path: Path) -> None:
    run = Run(of_threads(tmp_path / "run", 4).path)
    picked = run.pick_points(per_phase=16)
    tails = ", ".join(f"interval 7 of thread {thread} (400 instructions)" for thread in range(3)) + " ..."
    assert f"4 of the points are tails, shorter than the others: {tails}" in picked.notes
    notes = [note for note in run.export("pinpoints").notes if "tail" in note]
    assert notes == [f"simulate tails to their end and no further: {tails}"]


def test_a_refused_export_leaves_no_folder(tmp_path: Path) -> None:
    run = Run(of_threads(tmp_path / "run", 2).path)
    run.pick_points(per_phase=3)
    for out in (None, tmp_path / "new" / "one"):
        with pytest.raises(ValueError, match="threads"):
            run.export("gem5", out)
    assert not (run.path / "gem5").exists() and not (tmp_path / "new").exists()
    (tmp_path / "there").mkdir()
    with pytest.raises(ValueError, match="threads"):
        run.export("gem5", tmp_path / "there")
    assert (tmp_path / "there").is_dir()


def test_functions_of_a_profiled_program_are_exported(tmp_path: Path) -> None:
    """Of a program that phasemark profiled they are looked up when they are wanted."""
    folder = of_threads(tmp_path / "run", 1)
    profile = profile_h5.read(folder.profile)
    blocks = dataclasses.replace(profile.block_table, modules=("/no/program",), offset=np.array([16, 32]))
    profile_h5.write(folder.profile, dataclasses.replace(profile, block_table=blocks))
    files = Run(folder.path).export("exp-bbv").files
    assert [file.name for file in files] == ["bb.out", "pc.out"]
    assert files[1].read_text() == "F:1:10:program+0x10\nF:2:20:program+0x20\n"
    unnamed = Run(of_threads(tmp_path / "unnamed", 1).path).export("exp-bbv").files
    assert [file.name for file in unnamed] == ["bb.out"]


def test_all_that_our_own_table_says_comes_back_though_weights_are_scaled_anew(tmp_path: Path) -> None:
    """They sum to 1 but for the last digits, with guards, with a check of the warm-up or without."""
    run = Run(three_phases(tmp_path / "run").path)
    for options in ({"guard": 10, "warmup": 100, "warmup_check": 3}, {"budget": 12}):
        points = run.pick_points(**options).points
        weight = points.weight.copy()
        weight[int(weight.argmax())] *= 1 + 1e-12
        file = tmp_path / "points.csv"
        points_csv.write(file, dataclasses.replace(points, weight=weight))
        again = run.import_points([file]).points
        assert again.frame().equals(dataclasses.replace(points, weight=weight).frame())
        assert (again.signature, again.balanced) == (points.signature, points.balanced)
        assert again.signature == "blocks"
