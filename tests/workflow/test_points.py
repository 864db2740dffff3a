"""From phases to points, in a run's folder."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from tests.workflow.runs import LENGTH, run, simulate, three_phases

import phasemark
from phasemark.errors import DataError, UsageError, WorkError
from phasemark.model import Blocks, Counts, Intervals, Metrics, Phases, Points, Profile, Provenance
from phasemark.signatures import project
from phasemark.store import metrics_csv, points_csv, tables
from phasemark.store.folder import Folder
from phasemark.workflow import PointOptions, Run
from phasemark.workflow.points import chosen_before, measured_so_far


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return three_phases(tmp_path / "run")


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
    assert any(f"{sum(more.values())} more points are needed, in" in note for note in second["notes"])
    simulate(folder)
    low, high = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["interval"]
    forecast = folder.steps()["points"]
    assert forecast["expected_error"] <= 0.005 < forecast["expected_half_width"]
    # The error bar allows for intervals of other phases that no point hit.
    assert (high - low) / (high + low) == pytest.approx(forecast["expected_half_width"], rel=0.25)
    third = json.loads(run("points", folder.path, "--target-error", "50%", "--json"))
    assert any("no more points are needed" in note for note in third["notes"])


def test_the_same_points_with_another_error_bar_are_estimated_anew(folder: Folder) -> None:
    """As those of an older table are, which does not say what phases were found in."""
    run("points", folder.path)
    simulate(folder)
    run("estimate", folder.path)
    run("points", folder.path)
    assert (folder.path / "estimate.csv").exists()
    found = points_csv.read(folder.points)
    points_csv.write(folder.points, dataclasses.replace(found, signature=None))
    run("points", folder.path)
    assert points_csv.read(folder.points).signature == found.signature == "blocks"
    assert not (folder.path / "estimate.csv").exists() and folder.point_metrics.exists()


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


def test_nothing_measured_is_no_pilot(folder: Folder) -> None:
    assert measured_so_far(folder, Intervals.of_thread(np.full(60, LENGTH))) is None


INTERVALS = Intervals.of_thread(np.full(60, LENGTH))


def measured(*length: int, index: tuple[int, ...] = (0,), start: int = 0) -> Metrics:
    zeros = np.zeros(len(length), int)
    begin = start + np.array(index) * LENGTH
    return Metrics(zeros, zeros, np.array(index), begin, np.array(length), {"cycles": zeros + 1.0})


def test_a_pilot_is_of_the_points_or_else_of_the_run(folder: Folder) -> None:
    metrics_csv.write(folder.metrics, measured(LENGTH, LENGTH, index=(3, 4)), made_by={})
    pilot = measured_so_far(folder, INTERVALS)
    assert pilot is not None and pilot.metrics.index.tolist() == [3, 4]
    metrics_csv.write(folder.point_metrics, measured(LENGTH), made_by={})
    pilot = measured_so_far(folder, INTERVALS)
    assert pilot is not None and pilot.metrics.index.tolist() == [0]
    for whole in (60 * LENGTH, 61 * LENGTH):  # simulators count a little more
        metrics_csv.write(folder.point_metrics, measured(whole), made_by={})
        pilot = measured_so_far(folder, INTERVALS)
        assert pilot is not None and pilot.metrics.index.tolist() == [3, 4]


def test_of_a_run_of_one_interval_the_whole_is_a_pilot(folder: Folder) -> None:
    metrics_csv.write(folder.metrics, measured(LENGTH), made_by={})
    pilot = measured_so_far(folder, Intervals.of_thread(np.array([LENGTH])))
    assert pilot is not None and len(pilot.metrics) == 1


def test_an_earlier_choice_goes_on_with_its_method_and_seed(folder: Folder) -> None:
    more = PointOptions(target_error=0.01)
    assert chosen_before(folder, more) is None
    Run(folder.path).pick_points(PointOptions(per_phase=2))
    before = chosen_before(folder, more)
    assert before is not None and before.interval.tolist() == points_csv.read(folder.points).interval.tolist()
    assert chosen_before(folder, PointOptions(budget=9)) is None
    assert chosen_before(folder, PointOptions(target_error=0.01, seed=2)) is None
    Run(folder.path).pick_points(PointOptions(per_phase=2, seed=2))
    assert chosen_before(folder, more) is None
    assert chosen_before(folder, PointOptions(target_error=0.01, seed=2)) is not None
    Run(folder.path).pick_points()
    assert chosen_before(folder, more) is None
    assert chosen_before(folder, PointOptions(target_error=0.01, method="nearest")) is None


def test_only_planned_points_leave_what_was_measured(folder: Folder) -> None:
    for options, there in (({"budget": 12}, True), ({"target_error": 0.01}, True), ({"per_phase": 3}, False)):
        Run(folder.path).pick_points()
        simulate(folder)
        folder.estimate.touch()
        discarded = Run(folder.path).pick_points(**options).discarded
        assert folder.point_metrics.exists() is there
        assert ("point-metrics.csv is removed" in discarded) is not there
        assert "estimate.csv is removed" in discarded and not folder.estimate.exists()


def test_without_a_plan_nothing_measured_is_looked_at(folder: Folder) -> None:
    folder.point_metrics.write_text("no metrics")
    with pytest.raises(DataError, match="point-metrics"):
        Run(folder.path).pick_points(budget=9)
    assert len(Run(folder.path).pick_points(per_phase=2).points) == 6


def test_what_run_json_and_the_table_tell(folder: Folder) -> None:
    picked = Run(folder.path).pick_points(coverage=0.6, seed=4)
    asked = {
        "early": False,
        "warmup": 0,
        "method": None,
        "per_phase": None,
        "budget": None,
        "target_error": None,
        "confidence": 0.95,
        "seed": 4,
        "tail_points": True,
        "use_pilot": True,
        "strata": "own",
        "guard": None,
        "warmup_check": None,
    }
    entry = folder.entry_of("points")
    entry.pop("phasemark")
    assert entry == {"coverage": 0.6, **asked, "found": 2, "covered": 2 / 3, "notes": list(picked.notes)}
    comment = tables.comment(folder.points)
    assert comment["command"] == "points" and comment["coverage_asked"] == "0.6" and comment["seed"] == "4"
    assert comment["coverage"] != "0.6"


def test_any_difference_makes_other_points(folder: Folder) -> None:
    run_ = Run(folder.path)
    run_.pick_points(per_phase=2)
    simulate(folder)
    assert run_.pick_points(per_phase=2).discarded == ()
    assert folder.point_metrics.exists()
    # The same options, and the table of another choice in its place.
    points = points_csv.read(folder.points)
    other = Points(**{**vars(points), "spread": points.spread + 1})
    points_csv.write(folder.points, other, made_by={})
    assert "point-metrics.csv is removed" in run_.pick_points(per_phase=2).discarded
    folder.points.write_text("damaged")
    folder.estimate.touch()
    assert "estimate.csv is removed" in run_.pick_points(per_phase=2).discarded
    folder.estimate.touch()
    folder.record("points", {**folder.entry_of("points"), "seed": 3})
    assert run_.pick_points(per_phase=2).discarded == ("estimate.csv is removed",)


def test_what_is_not_there_names_the_file_and_the_step(folder: Folder) -> None:
    with pytest.raises(DataError, match=r"points\.csv: there is no such file\n  hint: run `phasemark p"):
        _ = Run(folder.path).points
    with pytest.raises(UsageError, match="coverage is 2"):
        Run(folder.path).pick_points(coverage=2)


def test_a_pilot_is_named_and_can_be_left_out(folder: Folder) -> None:
    """A full metrics.csv that lies there says what is to be expected: nobody would guess."""
    plain = json.loads(run("points", folder.path, "--budget", 12, "--json"))
    assert plain["pilot"] is None
    metrics = metrics_csv.read(folder["full.csv"])
    cycles = metrics.counters["cycles"] * np.where(np.arange(60) % 40 > 30, 3, 1)  # the first phases vary
    varied = dataclasses.replace(metrics, counters={"cycles": cycles}, source="gem5")
    metrics_csv.write(folder.metrics, varied, made_by={})
    piloted = json.loads(run("points", folder.path, "--budget", 12, "--json"))
    told = {"file": "metrics.csv", "source": "gem5", "intervals": 60, "of": 60}
    assert piloted["pilot"] == told == folder.entry_of("points")["pilot"]
    note = (
        "the pilot is metrics.csv, by gem5, which measured all of 60 intervals; --no-pilot "
        "(use_pilot=False) leaves it out"
    )
    assert piloted["notes"][-1] == folder.entry_of("points")["notes"][-1] == note
    assert f"note: {note}" in run("points", folder.path, "--target-error", "5%")
    without = json.loads(run("points", folder.path, "--budget", 12, "--no-pilot", "--json"))
    assert without["points"] == plain["points"] == piloted["points"]  # two in each of as many strata
    assert without["pilot"] is None and "pilot" not in folder.entry_of("points")
    assert without["notes"][0].endswith("by 30% over the whole run, whatever was measured")
    assert not any("the pilot is" in note for note in without["notes"])
    assert folder.entry_of("points")["use_pilot"] is False
    picked = Run(folder.path).pick_points(target_error=0.05)
    assert picked.pilot is not None and picked.pilot.path == folder.metrics
    for options in ({"budget": 9, "method": "random"}, {"per_phase": 2}):
        assert Run(folder.path).pick_points(**options).pilot is None


def test_a_tail_that_is_a_point_is_said_and_can_be_left_out(tmp_path: Path) -> None:
    lengths = [1000] * 8 + [400]
    labels = [0] * 8 + [1]
    intervals = Intervals.of_thread(lengths, nominal=1000)
    counts = np.zeros((9, 2), int)
    counts[np.arange(9), labels] = lengths
    profile = Profile(
        Blocks(("",), [0, 0], [1, 2], [1, 1], [1, 1], [1, 2]),
        intervals,
        Counts(np.arange(10), np.array(labels), np.array(lengths), 2),
        Provenance("test", interval=1000),
    )
    distances = [0.0, 1, 1, 1, 1, 1, 1, 1, 0]
    run_ = phasemark.save(tmp_path / "run", profile)
    run_.save(signatures=project(profile, dims=2), phases=Phases(labels, np.zeros((2, 2)), distances))
    said = json.loads(run("points", run_.path, "--json"))
    assert [point["interval"] for point in said["points"]] == [0, 8]
    assert said["notes"][1:] == [
        "1 of the points is a tail, shorter than the others: interval 8 (400 instructions)"
    ]
    assert run_.export("gem5").notes[-1] == (
        "simulate tails to their end and no further: interval 8 (400 instructions)"
    )
    for more in ((), ("--early",), ("--per-phase", 3), ("--coverage", "99%")):
        said = json.loads(run("points", run_.path, "--no-tail-points", *more, "--json"))
        assert 8 not in [point["interval"] for point in said["points"]]
        assert not any("tail" in note for note in said["notes"])
        assert folder_entry(run_)["tail_points"] is False
        assert not any("tail" in note for note in run_.export("gem5").notes)
    assert not list(run_.export("simpoint").files[0].parent.glob("*.lpt*"))


def folder_entry(of: Run) -> dict[str, object]:
    return of.folder.entry_of("points")
