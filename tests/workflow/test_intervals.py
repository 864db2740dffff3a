"""Intervals of variable length in a run's folder: what is written, what is kept, and the way back."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.workflow import nested

from phasemark.checking import check_folder
from phasemark.collect import Boundaries, Cuts, Recut, Request, Until, session
from phasemark.collect.engines.valgrind import LONGEST_TOKEN
from phasemark.errors import DataError, Interrupted, UsageError, WorkError
from phasemark.intervals import hierarchy
from phasemark.model import Events, Metrics
from phasemark.store import hierarchy_h5, metrics_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import IntervalOptions, Run, exporting, intervals, repeating, variable


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that was recorded with its events."""
    folder = nested.recorded(tmp_path / "run")
    monkeypatch.setattr(repeating.events_h5, "read", lambda path: (nested.events(),))
    again(monkeypatch)
    return Run(folder.path)


def again(monkeypatch: pytest.MonkeyPatch, **options: object) -> None:
    """What the program does when it runs once more."""
    monkeypatch.setattr(repeating, "recut", functools.partial(nested.recut, **options))


def metrics_of(run: Run) -> Metrics:
    table = run.profile.interval_table
    keys = (table.run, table.thread, table.index, table.start, table.length)
    return Metrics(*keys, {"cycles": table.length * 1.5})


def content(folder: Folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.path.iterdir() if path.is_file()}


def test_intervals_are_turns_of_the_outer_loop(run: Run) -> None:
    found = run.find_intervals(minimum=nested.TURN, maximum=2 * nested.TURN)
    table = run.profile.interval_table
    assert table.length.sum() == nested.LENGTH and found.hierarchy.depth >= 1
    inside = table.start[1:] % nested.TURN
    # A grammar may cut a turn anywhere, but then everywhere in the same place.
    assert len(np.unique(inside)) <= 3
    assert found.shorter[0] <= 3 and found.longer == (0, 0.0)
    assert found.boundaries.found == found.boundaries.asked == len(table) - 1
    assert found.levels[-1].intervals == len(found.hierarchy.levels[-1])
    assert (found.minimum, found.maximum) == (nested.TURN, 2 * nested.TURN)


def test_the_profile_counts_loops_and_says_what_was_asked_for(run: Run) -> None:
    run.find_intervals(minimum=50_000, maximum=300_000)
    profile = run.profile
    assert profile.sites is not None and profile.events is not None
    assert profile.events.data.sum() == len(nested.events())
    assert profile.provenance.interval is None
    assert profile.provenance.details["shortest_asked"] == 50_000
    phases = run.find_phases(signature="loops")
    assert phases.signatures.recipe.key == "site"
    blocks = run.find_phases()
    assert blocks.signatures.recipe.key == "module+offset"


def test_the_profile_knows_with_which_event_each_interval_begins(run: Run) -> None:
    run.find_phases()
    assert run.phase_markers() is None
    run.find_intervals(minimum=nested.TURN, maximum=2 * nested.TURN)
    profile, trace = run.profile, nested.events()
    at = dict(zip(trace.position.tolist(), trace.symbol.tolist(), strict=True))
    assert profile.markers is not None and profile.markers.site is not None
    starts = profile.interval_table.start.tolist()
    assert profile.markers.site.tolist() == [at.get(start, -1) for start in starts]
    assert (profile.markers.site[1:] >= 0).all()
    run.find_phases()
    found = run.phase_markers()
    assert found is not None and found.phases == run.phases.k
    assert found.intervals.sum() == len(profile.interval_table) - 1
    run.restore_fixed()
    run.find_phases()
    assert run.phase_markers() is None


def test_the_fixed_profile_and_its_metrics_are_kept_and_come_back(run: Run) -> None:
    run.save(metrics=metrics_of(run))
    before = content(run.folder)
    assert run.find_phases() and run.pick_points()
    found = run.find_intervals(minimum=50_000, maximum=300_000)
    assert run.folder.fixed.read_bytes() == before["profile.h5"]
    assert run.folder.fixed_metrics.read_bytes() == before["metrics.csv"]
    assert not run.folder.metrics.exists() and not run.folder["metrics.csv~"].exists()
    assert "metrics.csv is now fixed-metrics.csv" in found.discarded
    assert {"phases.csv is removed", "points.csv is removed"} <= set(found.discarded)
    run.save(metrics=metrics_of(run))
    run.find_intervals(minimum=100_000, maximum=400_000)
    assert run.folder.fixed.read_bytes() == before["profile.h5"]
    assert run.folder.fixed_metrics.read_bytes() == before["metrics.csv"]
    discarded = run.restore_fixed()
    after = content(run.folder)
    assert after["profile.h5"] == before["profile.h5"] and after["metrics.csv"] == before["metrics.csv"]
    assert not {"fixed.h5", "fixed-metrics.csv", "hierarchy.h5"} & set(after)
    assert run.folder.entry_of("metrics") and not run.folder.entry_of("intervals")
    assert discarded == ()


def test_other_lengths_start_from_the_events_again(run: Run) -> None:
    one = run.find_intervals(minimum=50_000, maximum=100_000)
    first = content(run.folder)
    run.find_intervals(minimum=200_000, maximum=800_000)
    again = run.find_intervals(minimum=50_000, maximum=100_000)
    assert content(run.folder)["profile.h5"] == first["profile.h5"]
    assert content(run.folder)["hierarchy.h5"] == first["hierarchy.h5"]
    assert again.intervals.length.tolist() == one.intervals.length.tolist()


def test_metrics_of_the_same_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_metrics(request: object, cuts: object, **options: object) -> object:
        made = nested.recut(request, cuts)  # type: ignore[arg-type]
        table = made.profile.interval_table
        keys = (table.run, table.thread, table.index, table.start, table.length)
        return dataclasses.replace(made, metrics=Metrics(*keys, {"cycles": table.length * 2.0}))

    monkeypatch.setattr(repeating, "recut", with_metrics)
    monkeypatch.setattr(variable.TimingModel, "complete", lambda _, metrics: metrics)
    run.find_intervals(minimum=50_000, maximum=300_000, timing="modern")
    assert metrics_csv.read(run.folder.metrics).counters["cycles"].sum() == 2 * nested.LENGTH
    assert run.folder.configuration_of("metrics")["name"] == "modern"
    run.find_phases()
    run.quality()


def test_a_thread_that_ends_elsewhere_ends_the_hierarchy_there(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    again(monkeypatch, longer=77)
    found = run.find_intervals(minimum=50_000, maximum=300_000)
    assert found.hierarchy.end.max() == nested.LENGTH + 77 == run.profile.instructions
    assert any("last intervals are longer or shorter" in sentence for sentence in found.warnings)
    stored = hierarchy_h5.read(run.folder.hierarchy).hierarchy
    assert stored.depth == found.hierarchy.depth == len(stored.phases)


def test_a_hierarchy_can_lose_its_end(run: Run) -> None:
    tree = run.find_intervals(minimum=50_000, maximum=300_000).hierarchy
    table = run.profile.interval_table
    for end in (nested.LENGTH - 1, nested.LENGTH - 400_000, 60_000):
        keep = table.start < end
        cut = dataclasses.replace(
            table,
            **{name: getattr(table, name)[keep] for name in ("run", "thread", "index", "start", "kind")},
            length=np.minimum(table.start + table.length, end)[keep] - table.start[keep],
        )
        fitted, notes = variable.fitted(tree, cut)
        assert fitted.end.max() == end and len(notes) == 1
        for level in fitted.levels:
            assert level.length.sum() == end


def test_default_lengths_are_those_of_a_thousand_intervals(run: Run) -> None:
    assert IntervalOptions().bounds(10**9) == (10**6, 5 * 10**6)
    assert IntervalOptions(minimum=300).bounds(10**9) == (300, 1500)
    assert IntervalOptions(maximum=500).bounds(10**9) == (100, 500)
    assert IntervalOptions().bounds(500_000) == (10_000, 50_000)
    assert IntervalOptions().bounds(500) == (500, 2500)
    found = run.find_intervals()
    assert (found.minimum, found.maximum) == (10_000, 50_000)


def tight(longest: int) -> Events:
    """One loop of 6 instructions for 20,000,000, of which `longest` at most are one event."""
    since = longest - longest % 6
    n = 20_000_000 // since
    return Events(nested.SITES, np.zeros(n), np.full(n, since // 6), np.arange(1, n + 1) * since, n * since)


@pytest.mark.parametrize(
    "options", [{}, {"maximum": 150_000}, {"minimum": 100_000, "maximum": 200_000}, {"minimum": 1_000_000}]
)
def test_intervals_of_one_long_loop_are_no_longer_than_asked_for(options: dict[str, int]) -> None:
    chosen = IntervalOptions(**options).for_traces([tight(LONGEST_TOKEN)])
    assert chosen.minimum is not None and chosen.maximum is not None
    pruned = chosen.pruned([tight(LONGEST_TOKEN)])
    cut = hierarchy(pruned, shortest=chosen.shortest).select(chosen.minimum, chosen.maximum)
    assert not (cut.length > chosen.maximum).any() and (cut.length < chosen.minimum).sum() <= 1


def test_where_no_event_says_where_to_cut_that_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = functools.partial(intervals._coarse, maximum=50_000)
    assert coarse([tight(10_000)]) == ()
    (said,) = coarse([tight(100_000)])
    assert said.startswith("100% of the run lies in stretches") and "up to 99,996" in said
    assert not run.find_intervals(minimum=10_000, maximum=20_000).warnings
    (said,) = run.find_intervals(minimum=100, maximum=1000).warnings
    assert "longer than the maximum, 1,000 instructions, up to 3,000" in said


def test_leaves_are_no_longer_than_the_minimum(run: Run) -> None:
    found = run.find_intervals(minimum=2_000, maximum=10_000)
    assert found.longer == (0, 0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minimum": 7, "maximum": 5}, "the minimum, 7, is above the maximum, 5"),
        ({"minimum": 0}, "the minimum is 0 instructions"),
        ({"minimum": 10**9}, r"the minimum, 1,000,000,000 instructions, is more than the longest thread has"),
    ],
)
def test_lengths_that_make_no_sense(run: Run, options: dict[str, int], message: str) -> None:
    before = content(run.folder)
    with pytest.raises(UsageError, match=message):
        run.find_intervals(**options)
    assert content(run.folder) == before


def test_a_run_without_events_says_how_to_record_them(run: Run) -> None:
    run.folder.events.unlink()
    with pytest.raises(DataError, match=r"recorded without its loops.*\n.*profile --events"):
        run.find_intervals()
    with pytest.raises(DataError, match=r"fixed\.h5: is not there: the run's intervals are those"):
        run.restore_fixed()


def test_a_program_that_ends_otherwise_changes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(run.folder)
    again(monkeypatch, status=3)
    with pytest.raises(WorkError, match=r"nested, run once more, ended otherwise.*exit status 0 then, 3 now"):
        run.find_intervals(minimum=50_000)
    assert content(run.folder) == before


def test_a_program_that_a_fault_ends_each_time_is_cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.folder.record("profile", {**run.folder.entry_of("profile"), "status": 139})
    again(monkeypatch, status=139, interrupted=True)
    assert len(run.find_intervals(minimum=50_000).intervals) > 1


@pytest.mark.parametrize(("first", "then"), [(0, 139), (139, 134), (0, 0), (130, 130), (139, 143)])
def test_a_program_that_is_interrupted_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, first: int, then: int
) -> None:
    run.folder.record("profile", {**run.folder.entry_of("profile"), "status": first})
    before = content(run.folder)
    again(monkeypatch, status=then, interrupted=True)
    with pytest.raises(WorkError, match="run once more"):
        run.find_intervals(minimum=50_000)
    assert content(run.folder) == before


@pytest.mark.parametrize("status", [130, 143, 0])
def test_a_program_that_somebody_ended_is_ended_at_the_same_place(
    run: Run, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    entry = {**run.folder.entry_of("profile"), "status": status, "complete": False}
    run.folder.record("profile", {**entry, "processes": [{"instructions": 5}, {"instructions": 10**9}]})
    asked: list[object] = []

    def recut(request: Request, cuts: Cuts, *, until: object, **_: object) -> Recut:
        asked.append(until)
        # Lost boundaries are no reason to record the events again: that would never end.
        made = nested.recut(request, cuts, status=137)
        lost = len(cuts.boundaries)
        return dataclasses.replace(made, boundaries=Boundaries(lost, lost=lost))

    monkeypatch.setattr(repeating, "recut", recut)
    monkeypatch.delattr(repeating, "record_program")
    assert len(run.find_intervals(minimum=50_000).intervals) > 1
    assert asked == [Until(10**9 + 5, status)]


def test_a_program_that_a_fault_ended_ends_by_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.folder.record("profile", {**run.folder.entry_of("profile"), "status": 139, "complete": False})
    asked: list[object] = []

    def recut(*args: object, until: object, **how: object) -> Recut:
        asked.append(until)
        return nested.recut(*args, status=139, interrupted=True, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(repeating, "recut", recut)
    run.find_intervals(minimum=50_000)
    assert asked == [None]


@pytest.mark.parametrize("longer", [0, nested.LENGTH])
def test_a_program_that_was_built_anew_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, longer: int
) -> None:
    """Its events would be recorded once more, and the fixed profile be of the other build."""

    def recut(request: Request, cuts: Cuts, **_: object) -> Recut:
        made = nested.recut(request, cuts, longer=longer)
        asked = len(cuts.boundaries)
        details = {"build_ids": {"/bin/nested": "2", "/lib/other": "1"}}
        provenance = dataclasses.replace(made.profile.provenance, details=details)
        return dataclasses.replace(
            made,
            boundaries=Boundaries(asked, found=2, lost=asked - 2),
            profile=dataclasses.replace(made.profile, provenance=provenance),
        )

    monkeypatch.setattr(repeating, "recut", recut)
    before = content(run.folder)
    message = r"the code of /bin/nested is not what it was when .*\n.*phasemark profile --events -o .*run"
    with pytest.raises(WorkError, match=message):
        run.find_intervals(minimum=50_000, maximum=300_000)
    assert content(run.folder) == before


def test_a_recording_that_was_cut_short_is_shown_but_not_cut(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.folder.profile.unlink()
    run.folder.events.unlink()
    run.folder.raw.mkdir()
    run.folder.record("profile", {**run.folder.entry_of("profile"), "state": "running"})
    monkeypatch.setattr(session, "rebuild", lambda path: nested.profile(nested.fixed()))
    monkeypatch.setattr(session, "rebuild_events", lambda path: SimpleNamespace(traces=(nested.events(),)))
    assert run.find_hierarchy().depth >= 1 and len(run.grammars().threads) == 1
    with pytest.raises(DataError, match=r"the recording was cut short.*\n.*profile --events"):
        run.find_intervals()
    (state, *_) = [checked.found for checked in check_folder(run.folder) if checked.path == run.path]
    assert state.startswith("run: its recording is unfinished")


def test_events_of_another_run_are_refused(run: Run) -> None:
    with run.folder.change("profile") as new:
        cut = nested.profile(nested.fixed())
        rows = np.arange(len(cut.interval_table) // 2)
        table = cut.interval_table
        names = ("run", "thread", "index", "start", "length", "kind")
        shorter = dataclasses.replace(table, **{name: getattr(table, name)[rows] for name in names})
        made = dataclasses.replace(cut, interval_table=shorter, vectors=cut.vectors.select(rows))
        profile_h5.write(new.profile, made)
    with pytest.raises(DataError, match=r"events\.h5: its threads are not those of the profile"):
        run.find_intervals()


def test_a_folder_that_was_imported_has_no_program(run: Run) -> None:
    run.folder.record("profile", {"source": "x.bb"})
    with pytest.raises(DataError, match="nothing says which program ran"):
        run.find_intervals()


def test_events_are_recorded_again_where_boundaries_are_lost(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a program that finds, the second time, the file that it made the first time."""
    recuts: list[object] = []

    def recut(request: object, cuts: Cuts, **_: object) -> Recut:
        recuts.append(cuts)
        made = nested.recut(request, cuts)  # type: ignore[arg-type]
        asked = len(cuts.boundaries)
        lost = Boundaries(asked, found=2, lost=asked - 2)
        return made if len(recuts) > 1 else dataclasses.replace(made, boundaries=lost)

    def record(request: Request, out: Path, **_: object) -> object:
        assert request.events and request.timing is None
        folder = Folder(out).create()
        folder.events.write_text("events of the second run")
        return SimpleNamespace(
            profile=nested.profile(nested.fixed()), status=0, interrupted=False, cpu_seconds=5.0
        )

    monkeypatch.setattr(repeating, "recut", recut)
    monkeypatch.setattr(repeating, "record_program", record)
    before = content(run.folder)
    found = run.find_intervals(minimum=50_000, maximum=300_000)
    assert len(recuts) == 2 and found.boundaries.lost == 0 and found.cpu_seconds == 7.0
    assert len(found.notes) == 1 and "were recorded once more" in found.notes[0]
    assert found.notes[0].startswith("in the first attempt 2 of ")
    after = content(run.folder)
    assert after["events.h5"] == b"events of the second run" and after["fixed.h5"] == before["profile.h5"]
    assert not [path.name for path in run.path.iterdir() if path.name[0] == "."]
    run.find_intervals(minimum=50_000, maximum=300_000)
    assert len(recuts) == 3


def test_a_program_that_does_something_else_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of one whose input was a pipe: nothing is left of it."""
    before = content(run.folder)
    again(monkeypatch, longer=nested.LENGTH)
    with pytest.raises(WorkError, match=r"did something else: 3,240,500 instructions when.*, 6,481,000 now"):
        run.find_intervals(minimum=50_000)
    assert content(run.folder) == before


@pytest.mark.parametrize(("status", "exits"), [(130, 130), (143, 143), (0, 130)])
def test_an_interruption_is_called_one_and_exits_as_one(
    status: int, exits: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recut(request: Request, cuts: Cuts, **_: object) -> Recut:
        made = nested.recut(request, cuts, status=status)
        other = dataclasses.replace(made.analysed, command=("another",))
        return dataclasses.replace(made, interrupted=True, analysed=other)

    monkeypatch.setattr(repeating, "recut", recut)
    before = content(run.folder)
    with pytest.raises(Interrupted, match=r"^nested, run once more, was interrupted") as raised:
        run.find_intervals(minimum=50_000)
    assert raised.value.exit_status == exits
    assert raised.value.hint == f"`phasemark intervals {run.path}` does it anew"
    assert content(run.folder) == before


def test_lost_boundaries_are_named_where_markers_are_exported(run: Run) -> None:
    assert exporting._lost(run.folder) == ()
    run.folder.record("intervals", {"boundaries": {"asked": 15, "lost": 4}})
    (note,) = exporting._lost(run.folder)
    assert note.startswith("4 of 15 boundaries were not found again")
