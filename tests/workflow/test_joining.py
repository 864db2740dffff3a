"""Runs with different numbers of threads in one folder, and what follows from there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from tests.parallel.test_join import profile

import phasemark
from phasemark import parallel, workflow
from phasemark.cli.printing import joined
from phasemark.errors import DataError, UsageError
from phasemark.model import OF_CORES, Blocks, Counts, Intervals, Metrics, Profile, Provenance
from phasemark.store import metrics_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow import Run

LENGTH = 1_000


def of_threads(path: Path, threads: int, *, measured: bool = True) -> Path:
    """A run of 24 intervals: half are of one phase, half of another; threads share both, side by side."""
    each = 24 // threads
    n = threads * each
    index = np.tile(np.arange(each), threads)
    phase = (index >= each // 2).astype(np.int64)
    starts = index * LENGTH
    table = Intervals(
        np.zeros(n),
        np.repeat(np.arange(threads), each),
        index,
        starts,
        np.full(n, LENGTH),
        np.zeros(n),
        starts,
    )
    counts = np.where(phase[:, None] == [0, 1], 900, 100)
    sparse = Counts(2 * np.arange(n + 1), np.tile([0, 1], n), counts.reshape(-1), 2)
    blocks = Blocks(("/bin/prog",), [0, 0], [0, 40], [10, 10], [40, 40], function=("one", "two"))
    provenance = Provenance(
        "test", command=("prog", str(threads)), interval=LENGTH, details={"clock": OF_CORES}
    )
    folder = Folder(path).create()
    profile_h5.write(folder.profile, Profile(blocks, table, sparse, provenance))
    folder.record("profile", {"tool": "test"})
    if measured:
        cycles = np.where(phase == 0, LENGTH, 3.0 * LENGTH) * np.where(phase == 0, 1, threads)
        keys = (table.run, table.thread, table.index, table.start, table.length)
        counters = {"cycles": cycles, "instructions": table.length}
        metrics_csv.write(folder.metrics, Metrics(*keys, counters, source="test"), made_by={})
        folder.record("metrics", {"of": "intervals", "source": "test"})
    return path


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [of_threads(tmp_path / f"t{threads}", threads) for threads in (1, 2, 4)]


def test_where_metrics_are_missing_each_run_is_to_be_measured(runs, tmp_path) -> None:
    """Neither simulate nor import can be told to measure runs that were joined."""
    Folder(runs[0]).metrics.unlink()
    workflow.parallel(runs, tmp_path / "joint")
    run = Run(tmp_path / "joint")
    run.find_phases(k=2)
    again = rf"join them again: phasemark parallel {runs[0]} {runs[1]} {runs[2]} -o {tmp_path}/joint"
    for step in (lambda: run.track(adapt="cpi"), run.quality, lambda: run.metrics):
        with pytest.raises(DataError, match=r"metrics\.csv") as caught:
            step()
        assert again in caught.value.hint and "simulate RUN --full" in caught.value.hint


def test_phases_are_found_over_all_threads_of_all_runs(runs, tmp_path) -> None:
    result = workflow.parallel(runs, tmp_path / "joint")
    assert result.frame()["threads"].tolist() == [1, 2, 4]
    assert result.frame()["command"].tolist() == ["prog 1", "prog 2", "prog 4"]
    run = Run(result.folder.path)
    found = run.find_phases(k=2).phases
    assert found.labels.tolist() == [
        *[0] * 12,
        *[1] * 12,
        *[*[0] * 6, *[1] * 6] * 2,
        *[*[0] * 3, *[1] * 3] * 4,
    ]
    run.pick_points()
    assert run.estimate().estimate.value["cpi"] > 1
    run.quality(n=2)
    run.report()
    told = run.scaling()
    assert told.scaling.threads.tolist() == [1, 2, 4]
    assert told.scaling.efficiency[2].tolist() == pytest.approx([1.0, 0.25])


def test_the_whole_of_it_as_commands(runs, tmp_path) -> None:
    done = commands.run("parallel", *runs, "-o", tmp_path / "joint")
    assert done.returncode == 0 and "next: phasemark phases" in done.stdout
    assert done.stdout.splitlines()[0] == "3 runs over 2 blocks, all measured"
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    told = json.loads(commands.run("parallel", *runs, "-o", tmp_path / "again", "--json").stdout)
    assert [run["threads"] for run in told["runs"]] == [1, 2, 4] and told["measured"]
    for command in ("phases", "points", "estimate", "scaling", "check"):
        done = commands.run(command, tmp_path / "joint")
        assert done.returncode == 0, done.stdout + done.stderr
    for file in ("profile.h5", "metrics.csv"):
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "joint" / file).read_bytes()


@pytest.mark.parametrize("threads", ["separate", "merged"])
def test_runs_that_were_joined_before_are_numbered_on(runs, tmp_path, threads) -> None:
    more = of_threads(tmp_path / "t3", 3)
    workflow.parallel(runs[1:], tmp_path / "some")
    options = {"threads": threads}
    found = workflow.parallel([runs[0], tmp_path / "some", more], tmp_path / "all", **options)
    plain = workflow.parallel([*runs, more], tmp_path / "plain", **options)
    assert (tmp_path / "all/metrics.csv").read_bytes() == (tmp_path / "plain/metrics.csv").read_bytes()
    assert found.profile.counts.toarray().tolist() == plain.profile.counts.toarray().tolist()
    assert found.profile.provenance.details["runs"] == plain.profile.provenance.details["runs"]
    assert found.frame()["source"].tolist() == [
        str(path) for path in (runs[0], tmp_path / "some", tmp_path / "some", more)
    ]
    assert found.frame()["source_run"].tolist() == [0, 0, 1, 0]
    assert found.frame()["command"].tolist() == [f"prog {n}" for n in (1, 2, 4, 3)]
    said = joined.lines(found)
    assert [line.split()[0] for line in said[3:7]] == ["0", "1", "2", "3"] and "some, run 1" in said[5]
    run = Run(tmp_path / "all")
    run.find_phases(k=2)
    assert run.scaling().scaling.threads.tolist() == ([1, 2, 4, 3] if threads == "separate" else [1] * 4)


def test_a_recording_that_is_a_part_is_said_to_be_one(runs, tmp_path) -> None:
    cut = tmp_path / "cut"
    profile = phasemark.read(runs[1])
    whole = profile.provenance
    cut_short = replace(profile, provenance=replace(whole, complete=False))
    profile_h5.write(Folder(cut).create().profile, cut_short)
    found = workflow.parallel([runs[0], cut], tmp_path / "joint")
    assert found.notes[0].startswith("run 1 is a part of what the program did")
    notes = Run(tmp_path / "joint").find_phases(k=2).notes
    assert "a run was recorded in part: these are the phases of what is there of it" in notes
    again = workflow.parallel([runs[2], tmp_path / "joint"], tmp_path / "more")
    assert [note.split(" is ")[0] for note in again.notes if "part of" in note] == ["run 2"]


def test_intervals_of_runs_that_were_joined_are_made_before(runs, tmp_path) -> None:
    workflow.parallel(runs, tmp_path / "joint")
    with pytest.raises(DataError, match=r"joined without their loops.*\n.*of each run, then join") as caught:
        Run(tmp_path / "joint").find_intervals()
    assert caught.value.path == tmp_path / "joint"


def test_a_row_of_the_table_is_a_line_whatever_a_folder_is_called(tmp_path) -> None:
    strange = of_threads(tmp_path / "a\nb\x1b[1m", 1)
    said = joined.lines(workflow.parallel([strange], tmp_path / "joint"))
    assert len(said) == 4 and said[3].split()[1].endswith("a\\nb\\x1b[1m")


def test_merged_threads_are_one_thread_of_what_all_do_meanwhile(runs, tmp_path) -> None:
    merged = workflow.parallel(runs, tmp_path / "merged", threads="merged")
    table = merged.profile.interval_table
    assert np.bincount(table.run).tolist() == [24, 12, 6] and not table.thread.any()
    assert [int(table.length[table.run == run].sum()) for run in range(3)] == [24_000] * 3
    assert merged.profile.counts.toarray()[-1].tolist() == [400, 3_600]
    assert merged.metrics is not None
    assert merged.metrics.counters["cycles"][-1] == 4 * 3 * 4 * LENGTH
    assert workflow.read(tmp_path / "merged").instructions == 72_000


def test_metrics_of_some_runs_are_metrics_of_none(runs, tmp_path) -> None:
    bare = of_threads(tmp_path / "bare", 3, measured=False)
    result = workflow.parallel([*runs, bare], tmp_path / "joint")
    assert result.metrics is None and not (tmp_path / "joint/metrics.csv").exists()
    assert result.notes == ("1 run of 4 (bare) was not measured: metrics of none are kept",)


def test_another_profile_takes_the_place_of_what_was_made(runs, tmp_path) -> None:
    workflow.parallel(runs, tmp_path / "joint")
    Run(tmp_path / "joint").find_phases(k=2)
    again = workflow.parallel(runs[:2], tmp_path / "joint")
    assert any("phases.csv" in phrase for phrase in again.discarded)
    assert not (tmp_path / "joint/phases.csv").exists()


def test_what_makes_no_sense_is_refused(runs, tmp_path) -> None:
    out = tmp_path / "joint"
    for sources, options, message in (
        ([], {}, "no run"),
        ([runs[0], runs[0]], {}, "named twice"),
        ([*runs, out], {}, "is one of the runs"),
        (runs, {"threads": "both"}, "'both'"),
        (runs, {"by": "line"}, "'line'"),
    ):
        with pytest.raises(UsageError, match=message):
            workflow.parallel(sources, out, **options)
    with pytest.raises(DataError, match="none"):
        workflow.parallel([runs[0], tmp_path / "none"], out)
    assert not out.exists()
    workflow.parallel(runs, out)
    for sources in ([out / "profile.h5", runs[0]], [out, runs[0]]):
        with pytest.raises(UsageError, match="is one of the runs"):
            workflow.parallel(sources, out)
    with pytest.raises(UsageError, match="named twice"):
        workflow.parallel([out, out / "profile.h5"], tmp_path / "more")
    recorded = Folder(tmp_path / "recorded").create()
    recorded.record("profile", {"command": ["ls"], "state": "done"})
    with pytest.raises(UsageError, match="recorded run of ls"):
        workflow.parallel(runs, recorded.path)


def test_blocks_without_a_place_may_be_others_in_another_run() -> None:
    one = profile({0: 1}, [{0: 5}], module="")
    with pytest.raises(DataError, match=r"import them together .*--as-runs"):
        parallel.join([one, one])


def test_two_thousand_threads(tmp_path) -> None:
    n = 2_000
    table = Intervals(
        np.zeros(n), np.arange(n), np.zeros(n), np.zeros(n), np.full(n, 5), np.zeros(n), np.arange(n)
    )
    blocks = Blocks(("/bin/prog",), [0], [0], [5], [20])
    made = Profile(
        blocks,
        table,
        Counts(np.arange(n + 1), np.zeros(n), np.full(n, 5), 1),
        Provenance("test", interval=5, details={"clock": OF_CORES}),
    )
    joined = parallel.join([made, made])
    assert joined.threads is not None and len(joined.threads) == 2 * n
    merged = parallel.merge(joined).profile
    assert merged.instructions == 10 * n and len(merged.interval_table) == 2 * (n // 5 + 1)
    profile_h5.write(tmp_path / "profile.h5", joined)
    assert len(phasemark.read(tmp_path / "profile.h5").intervals) == 2 * n
