"""Tracking a run's folder: what is written, what stays, and what later steps make of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.phases.runs import Run as Made
from tests.phases.runs import run as made

import phasemark
from phasemark.checking import check_folder
from phasemark.errors import DataError, UsageError
from phasemark.online import Tracker
from phasemark.phases import adjusted_rand_index, sequences
from phasemark.signatures import counts
from phasemark.store import phases_store, tables
from phasemark.workflow import Run, TrackOptions


@pytest.fixture
def run(tmp_path: Path) -> Run:
    seen: Made = made()
    return phasemark.save(tmp_path / "run", seen.profile, metrics=seen.metrics())


def test_a_run_without_phases_gets_them(run: Run) -> None:
    result = run.track(min_count=2)
    assert result.replaced and result.agreement is None and result.offline == ""
    assert result.phases.k == 4 and result.transition == 0
    assert run.phases.labels.tolist() == result.phases.labels.tolist()
    assert run.folder.entry_of("phases")["model"] == "online"
    run.pick_points(per_phase=2)
    assert run.estimate().estimate.value["cpi"] == pytest.approx(2.03, abs=0.2)
    assert run.quality().rows
    checked = list(check_folder(run.folder))
    assert not [str(one.error) for one in checked if one.error is not None]
    assert "track.csv, track.h5" in checked[-1].found


def test_phases_that_were_found_otherwise_stay_unless_they_are_to_go(run: Run) -> None:
    own = run.find_phases(k=3).phases
    run.pick_points()
    result = run.track(min_count=2)
    assert not result.replaced and result.discarded == () and result.offline == "simpoint"
    assert run.phases.labels.tolist() == own.labels.tolist() and run.folder.points.exists()
    assert result.agreement == adjusted_rand_index(result.phases.labels, own.labels) < 1
    assert result.settled == 1
    again = run.track(min_count=2, replace=True)
    assert again.replaced and again.agreement == result.agreement and again.discarded
    assert run.phases.model["method"] == "online" and not run.folder.points.exists()


def test_tracking_again_replaces_what_tracking_left(run: Run) -> None:
    run.track(min_count=2)
    run.pick_points()
    assert run.track(min_count=2).discarded == () and run.folder.points.exists(), "the very same phases"
    result = run.track(min_count=1)
    assert result.replaced and result.offline == "" and not run.folder.points.exists()
    assert (
        run.find_phases(model="online", min_count=1).phases.labels.tolist() == result.phases.labels.tolist()
    )


def test_files_hold_what_the_result_says(run: Run) -> None:
    result = run.track(threshold=0.5)
    table = tables.read(run.folder.track, {"phase": int, "distance": float, "matched": float, "new": int})
    frame = result.frame()
    assert table == {n: frame[n].tolist() for n in table}
    _, kept = phases_store.read_model(run.folder.tracked)
    assert kept.labels.tolist() == result.phases.labels.tolist()
    assert kept.model == result.phases.model
    comment = tables.comment(run.folder.track)
    assert comment["command"] == "track" and comment["threshold"] == "0.5"


def test_it_is_the_tracker_over_the_rows_of_all_threads(run: Run) -> None:
    result = run.track(min_count=3)
    seen = Tracker(min_count=3).track(counts(run.profile))
    assert result.phases.labels.tolist() == seen.phase.tolist()
    assert result.observations.distance.tolist() == seen.distance.tolist()
    assert sequences(run.intervals).tolist() == [30, 30]
    assert result.accuracy[0].intervals == 58, "each thread's first is foretold by nothing"


def test_the_table_is_that_of_quality(run: Run) -> None:
    result = run.track(min_count=2)
    assert result.quality is not None
    assert repr(result.quality.rows) == repr(run.quality().rows)
    run.folder.metrics.unlink()
    assert run.track(min_count=2).quality is None


def test_code_is_another_name_of_blocks() -> None:
    assert TrackOptions(signature="code") == TrackOptions(signature="blocks")


def test_predictors_are_chosen_by_name(run: Run) -> None:
    assert [one.predictor for one in run.track(predictors="rle-markov").accuracy] == ["rle-markov"]
    assert len(run.track().accuracy) == 4


def test_thresholds_adapt_to_a_metric_that_was_measured(run: Run) -> None:
    """Half of each kind's intervals have twice the CPI: what is least alike becomes a phase of its own."""
    plain = run.track(min_count=1, threshold=0.3)
    assert plain.phases.k == 3
    metrics = made().metrics()
    cycles = metrics.counters["cycles"] * np.where(np.arange(len(metrics)) % 2, 2, 1)
    columns = {n: getattr(metrics, n) for n in ("run", "thread", "index", "start", "length")}
    run.save(metrics=type(metrics)(**columns, counters={**metrics.counters, "cycles": cycles}))
    result = run.track(min_count=1, threshold=0.3, compressed_bits=None, adapt="cpi")
    assert result.phases.k > 3 and result.phases.model["adapted_to"] == "cpi"
    assert any("adapted to cpi" in note for note in result.notes)
    with pytest.raises(DataError, match=r"metrics\.csv.*brightness"):
        run.track(adapt="brightness")
    run.folder.metrics.unlink()
    with pytest.raises(DataError, match=r"simulate .* --full"):
        run.track(adapt="cpi")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 0}, "threshold is 0"),
        ({"predictors": ("oracle",)}, "no predictor 'oracle'"),
        ({"signature": "colours"}, "no signature"),
        ({"colour": 1}, "colour"),
        ({"counters": None}, "bits is 24"),
    ],
)
def test_options_that_make_no_sense_leave_everything(run: Run, parameters, message) -> None:
    before = sorted(path.name for path in run.path.iterdir())
    with pytest.raises(UsageError, match=message):
        run.track(**parameters)
    assert sorted(path.name for path in run.path.iterdir()) == before


def test_phases_of_other_intervals_are_named(run: Run) -> None:
    run.find_phases(k=3)
    signatures, own = phases_store.read_model(run.folder.model)
    few = type(own)(own.labels[:10], None, own.distances[:10], model=own.model)
    signatures = type(signatures)(signatures.matrix[:10], np.full(10, 0.1), signatures.recipe)
    phases_store.write_model(run.folder.model, signatures, few)
    with pytest.raises(DataError, match=r"model\.h5.*10 intervals, the profile has 60"):
        run.track()


def test_options_have_the_trackers_parameters() -> None:
    own = vars(TrackOptions())
    assert Tracker().get_params().items() <= own.items()


def test_what_was_tracked_and_is_bent_is_named(run: Run) -> None:
    run.track(min_count=2)
    lines = run.folder.track.read_text().splitlines()
    assert ",fixed,1," in lines[3], "row 1, below a comment and the heading"
    lines[3] = lines[3].replace(",fixed,1,", ",fixed,2,")
    run.folder.track.write_text("\n".join(lines) + "\n")
    wrong = [str(one.error) for one in check_folder(run.folder) if one.error is not None]
    assert len(wrong) == 1 and "track.csv, row 1: phase differs" in wrong[0] and "phasemark track" in wrong[0]
