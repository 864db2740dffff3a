"""Values made in Python, in a run's folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import phasemark
from phasemark.errors import DataError, UsageError
from phasemark.model import Metrics, Points
from phasemark.store import metrics_csv, tables
from phasemark.workflow import Run

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"
PROFILE = phasemark.read(BASE)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return phasemark.save(tmp_path / "run", PROFILE)


def entry(run: Run, step: str) -> dict[str, object]:
    told = run.folder.entry_of(step)
    told.pop("phasemark")
    return told


def measured() -> Metrics:
    table = PROFILE.interval_table
    keys = (table.run, table.thread, table.index, table.start, table.length)
    return Metrics(*keys, {"cycles": table.length * 2.0}, source="a test")


def test_what_run_json_and_the_tables_tell(run: Run) -> None:
    assert entry(run, "profile") == {"tool": PROFILE.provenance.tool, "command": "python"}
    found, other = run.find_phases(), phasemark.save(run.path.with_name("other"), PROFILE)
    picked = run.pick_points().points
    assert other.save(signatures=found.signatures, phases=found.phases, points=picked) == ()
    assert entry(other, "phases") == {"command": "python", "found": 3, "notes": []}
    told = {"command": "python", "found": 3, "covered": picked.coverage, "notes": []}
    assert entry(other, "points") == told
    assert tables.comment(other.folder.points)["command"] == "python"
    assert other.save(metrics=measured()) == ()
    told = {"command": "python", "rows": 8, "source": "a test", "files": []}
    assert entry(other, "metrics") == told and not other.folder.point_metrics.exists()
    assert tables.comment(other.folder.metrics)["command"] == "python"
    assert other.save(point_metrics=measured()) == ()
    assert entry(other, "simulation") == told and len(metrics_csv.read(other.folder.point_metrics)) == 8


def test_what_was_made_from_others_goes(run: Run) -> None:
    found, picked = run.find_phases(), run.pick_points().points
    run.folder.report.touch()
    assert run.save(metrics=measured(), point_metrics=measured()) == ("report.html is removed",)
    again = {"signatures": found.signatures, "phases": found.phases}
    run.folder.estimate.touch()
    discarded = run.save(points=picked)
    assert (
        "point-metrics.csv is now point-metrics.csv~" in discarded and "estimate.csv is removed" in discarded
    )
    assert run.folder.metrics.exists()
    assert "points.csv is removed" in run.save(**again)
    assert run.save(**again) == ()
    assert "metrics.csv is now metrics.csv~" in run.save(profile=PROFILE)
    later = phasemark.save(run.path, PROFILE, **again)
    assert later.discarded == () and later.path == run.path
    assert (
        phasemark.save(run.path, PROFILE).discarded == ("phases.csv is removed",)
        or not run.folder.model.exists()
    )


def test_what_goes_together_comes_together(run: Run) -> None:
    found = run.find_phases()
    for alone in ({"signatures": found.signatures}, {"phases": found.phases}):
        with pytest.raises(UsageError, match="go together\n  hint: give both"):
            run.save(**alone)


def test_signatures_of_other_intervals_are_refused(run: Run) -> None:
    found = run.find_phases()
    fewer = dataclasses.replace(
        found.signatures, matrix=found.signatures.matrix[:7], weights=np.full(7, 1 / 7)
    )
    with pytest.raises(DataError, match="signatures of 7 intervals, and the run has 8"):
        run.save(signatures=fewer, phases=found.phases)


@pytest.mark.parametrize("name", ["run", "thread", "interval", "start", "end"])
def test_a_point_is_an_interval_in_all_its_columns(run: Run, name: str) -> None:
    run.find_phases()
    good = run.pick_points().points
    columns = {key: value for key, value in vars(good).items() if isinstance(value, np.ndarray)}
    one = {key: value[1:2].copy() for key, value in columns.items()}
    one["weight"] = np.ones(1)
    run.save(points=Points(**one))
    one[name] += 1 if name != "start" else -1
    with pytest.raises(DataError, match="row 0: the point is no interval of the run\n  hint: pick"):
        run.save(points=Points(**one))


def test_the_first_point_that_is_wrong_is_named(run: Run) -> None:
    run.find_phases()
    good = run.pick_points().points
    for change, message in (
        ({"phase": [0, 3, 2]}, "row 1: a point of phase 3, and the run has 3 phases"),
        ({"end": good.end + np.array([0, 0, 1])}, "row 2: the point is no interval"),
    ):
        with pytest.raises(DataError, match=message):
            run.save(points=dataclasses.replace(good, **change))
    run.save(points=dataclasses.replace(good, phase=[0, 2, 2]))


def test_a_recorded_run_stays(run: Run) -> None:
    run.folder.record("profile", {"command": ["gzip", "-9"]})
    with pytest.raises(UsageError, match="holds a recorded run of gzip -9, which would be lost\n"):
        run.save(profile=PROFILE)
    assert run.folder.profile.exists()


def test_metrics_of_another_run_are_refused(run: Run) -> None:
    other = dataclasses.replace(measured(), start=measured().start + 1)
    for values in ({"metrics": other}, {"point_metrics": other}):
        with pytest.raises(DataError, match="none of the profile's"):
            run.save(**values)
    assert not run.folder.metrics.exists() and not run.folder.point_metrics.exists()
