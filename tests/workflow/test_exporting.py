"""A run's points and vectors in other tools' formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.workflow.runs import three_phases

import phasemark
from phasemark.errors import DataError, UsageError
from phasemark.formats.points import exports
from phasemark.workflow import Run

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(three_phases(tmp_path / "run").path)


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> list[tuple[exports.Exportable, Path]]:
    """What an exporter is given."""
    given: list[tuple[exports.Exportable, Path]] = []

    def export(run: exports.Exportable, folder: Path) -> exports.Exported:
        given.append((run, folder))
        return exports.Exported(())

    monkeypatch.setitem(exports.TARGETS, "simpoint", export)
    return given


def test_the_folder_and_the_name(run: Run, exported: list, tmp_path: Path, monkeypatch) -> None:
    run.export("simpoint")
    run.export("simpoint", tmp_path / "there", name="gzip")
    monkeypatch.chdir(run.path)
    Run(".").export("simpoint")
    assert [(one.name, folder.parent) for one, folder in exported] == [
        ("run", run.path / "simpoint"),
        ("gzip", tmp_path / "there"),
        ("run", Path("simpoint")),
    ]
    assert (run.path / "simpoint").is_dir() and (tmp_path / "there").is_dir()


def test_what_there_is_is_exported(tmp_path: Path, exported: list) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.export("simpoint")
    run.find_phases()
    run.export("simpoint")
    run.pick_points()
    run.export("simpoint")
    first, second, third = (one for one, _ in exported)
    assert (first.points, first.phases, first.all_points, first.coverage) == (None, None, None, 1.0)
    assert second.points is None and second.phases.k == 3
    assert third.points.interval.tolist() == run.points.interval.tolist() and third.all_points is None
    assert third.profile.instructions == 1996


def test_phases_that_points_leave_out_have_theirs_in_a_second_pair(tmp_path: Path, exported: list) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases()
    run.pick_points(coverage=0.7, early=True, warmup=5)
    run.export("simpoint")
    run.pick_points(coverage=0.7)
    run.export("simpoint")
    first, second = (one for one, _ in exported)
    assert (len(first.points), len(first.all_points), first.coverage) == (2, 3, 0.7)
    assert first.all_points.warmup.tolist() == [min(5, start) for start in first.all_points.start.tolist()]
    assert second.all_points.warmup.tolist() == [0, 0, 0]
    run.pick_points(early=True)
    assert first.all_points.interval.tolist() == run.points.interval.tolist()
    run.pick_points()
    assert second.all_points.interval.tolist() == run.points.interval.tolist()


def test_several_points_a_phase_are_no_simpoints(tmp_path: Path, exported: list) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases()
    for options in ({"per_phase": 2}, {"method": "stratified", "coverage": 0.7}, {}):
        run.pick_points(**options)
        run.export("simpoint")
    assert [one.all_points for one, _ in exported] == [None] * 3


def test_what_cannot_be_exported(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not export to 'mars'\n  hint: one of: simpoint, "):
        run.export("mars")
    with pytest.raises(DataError, match="run has no points\n  hint: run `phasemark points` first"):
        run.export("simpoint")
