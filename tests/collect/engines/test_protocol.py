"""What every collector must do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import phasemark
from phasemark.collect import COLLECTORS, Recording, Request, record
from phasemark.collect.engines.protocol import Job
from phasemark.collect.engines.registry import SAMPLING_COLLECTORS, TIMING_COLLECTORS
from phasemark.errors import CollectorError, MissingTool, NotExecutable, ProgramNotFound, UsageError
from phasemark.simulate.config import load

INTERVAL = 10_000

#: What brings a collector, where it is not Valgrind.
_PACKAGES = {"qemu": "qemu-user", "perf": "linux-perf"}

#: Before what a shell does, so that a collector which samples sees it.
_BUSY = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; "


@pytest.fixture(scope="module", params=COLLECTORS)
def collector(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    name: str = request.param
    try:
        COLLECTORS[name].prepare(Job(("true",), "auto"), tmp_path_factory.mktemp("raw"))
    except MissingTool as missing:
        pytest.skip(str(missing))
    except CollectorError as error:
        if name not in SAMPLING_COLLECTORS:
            raise
        pytest.skip(str(error))  # perf may be forbidden here
    return name


@pytest.fixture(scope="module")
def interval(collector: str) -> int:
    return INTERVAL if collector not in SAMPLING_COLLECTORS else 1000 * INTERVAL


@pytest.fixture(scope="module")
def program(collector: str, two_threads: str, two_long_threads: str) -> str:
    return two_long_threads if collector in SAMPLING_COLLECTORS else two_threads


def script(collector: str, text: str) -> str:
    """What a shell is to do, for long enough that the collector sees it."""
    return (_BUSY if collector in SAMPLING_COLLECTORS else "") + text


@pytest.fixture(scope="module")
def recorded(
    collector: str, program: str, interval: int, tmp_path_factory: pytest.TempPathFactory
) -> Recording:
    return record(Request((program,), interval, collector), tmp_path_factory.mktemp("out"), keep_raw=True)


def test_a_profile_is_written_and_read_back(recorded: Recording) -> None:
    again = phasemark.read(recorded.folder.path)
    assert again.provenance == recorded.profile.provenance
    assert (again.counts != recorded.profile.counts).nnz == 0


def test_intervals_are_as_long_as_asked_for(recorded: Recording, interval: int) -> None:
    table = recorded.profile.intervals
    whole = table[table.kind == "fixed"]
    assert len(whole) > 10
    # A collector that cannot cut a block may run over by less than one.
    largest = max(int(recorded.profile.blocks.instructions.max()), 100)
    assert whole.length.between(interval - largest, interval + largest).all()


def test_code_is_looked_at_as_asked(collector: str, tmp_path: Path) -> None:
    job = Job(("true",), INTERVAL, smc_check="stack")
    if collector in ("qemu", "perf"):
        with pytest.raises(UsageError, match="leave out --smc-check"):
            COLLECTORS[collector].prepare(job, tmp_path)
        return
    assert "--smc-check=stack" in COLLECTORS[collector].prepare(job, tmp_path).command


def test_both_threads_are_there(recorded: Recording) -> None:
    lengths = recorded.profile.intervals.groupby("thread").length.sum()
    assert len(lengths) == recorded.analysed.threads == 2
    assert lengths[1] > 100_000


def test_the_same_hot_loop_makes_up_the_second_thread(recorded: Recording) -> None:
    profile = recorded.profile
    rows = np.flatnonzero(profile.interval_table.thread == 1)
    loop = profile.vectors.select(rows).column_sums()
    assert loop.max() / loop.sum() > 0.9


def test_provenance_says_what_a_count_is(
    recorded: Recording, program: str, interval: int, collector: str
) -> None:
    provenance = recorded.profile.provenance
    assert collector in provenance.tool
    assert provenance.command == (program,)
    assert provenance.interval == interval
    assert provenance.tool_version and provenance.block_definition
    sampled = f"sampled {provenance.length_unit}"
    assert provenance.unit == (sampled if collector in SAMPLING_COLLECTORS else "instructions")
    assert provenance.complete


def test_definitions_of_blocks_differ_between_collectors() -> None:
    from phasemark.collect.stream.canonical import DEFINITION
    from phasemark.formats.vectors.exp_bbv import DIALECT

    assert DIALECT.block_definition != DEFINITION


def test_the_image_is_listed(recorded: Recording, program: str) -> None:
    (image,) = recorded.images
    assert image.command == (program,)
    assert image.ended and image.pid > 1
    assert image.instructions >= recorded.profile.instructions


def test_the_exit_status_is_the_programs(collector: str, interval: int, tmp_path: Path) -> None:
    words = ("sh", "-c", script(collector, "exit 7"))
    assert record(Request(words, interval, collector), tmp_path).status == 7


def test_the_program_starts_where_it_is_told_and_ours_stays(
    collector: str, interval: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    path = tmp_path / "theirs" / "script"
    path.write_text(script(collector, "\nread word || : >nothing\n: >here\n").join(["#!/bin/sh\n", ""]))
    path.chmod(0o755)
    (tmp_path / "link").symlink_to("theirs")
    monkeypatch.chdir(tmp_path / "ours")
    run = record(Request(("./script",), interval, collector, cwd=Path("../link")), "out")
    assert run.status == 0 and Path.cwd() == tmp_path / "ours"
    assert (path.parent / "here").exists() and (path.parent / "nothing").exists()
    assert [path.name for path in Path().iterdir()] == ["out"] and (tmp_path / "ours/out/profile.h5").exists()
    assert run.folder.steps()["profile"]["cwd"] == str(tmp_path / "ours/../link")
    with pytest.raises(ProgramNotFound):
        record(Request(("./script",), interval, collector), "out")


def test_it_works_from_a_thread_without_a_terminal(collector: str, interval: int, tmp_path: Path) -> None:
    words = ("sh", "-c", script(collector, "exit $0"))
    program = f"""
import concurrent.futures
from phasemark.collect import Request, record
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    requests = [Request((*{words!r}, status), {interval}, {collector!r}) for status in "34"]
    runs = pool.map(record, requests, ("a", "b"))
    print([run.status for run in runs])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, start_new_session=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    assert done.stdout == "[3, 4]\n", done.stderr


@pytest.mark.parametrize(("name", "error"), [("/no/such", ProgramNotFound), ("/etc/passwd", NotExecutable)])
def test_what_cannot_be_run_is_told_before(
    name: str, error: type[CollectorError], collector: str, tmp_path: Path
) -> None:
    with pytest.raises(error):
        record(Request((name,), "auto", collector), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_collector_that_is_not_there_is_told_with_how_to_get_it(
    collector: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(phasemark, "__path__", [str(tmp_path)])
    with pytest.raises(MissingTool) as missing:
        COLLECTORS[collector].prepare(Job(("/bin/true",), "auto"), tmp_path)
    assert f"apt install {_PACKAGES.get(collector, 'valgrind')}" in missing.value.hint


def test_it_is_called_as_the_registry_calls_it(collector: str) -> None:
    assert COLLECTORS[collector].name == collector
    assert next(iter(COLLECTORS)) == Request(("true",)).collector


def test_a_collector_with_a_timing_model_counts_each_interval(
    collector: str, two_threads: str, tmp_path: Path
) -> None:
    if collector not in TIMING_COLLECTORS:
        with pytest.raises(UsageError, match="has no timing model"):
            Request((two_threads,), INTERVAL, collector, timing=load("paper").flat())
        return
    request = Request((two_threads,), INTERVAL, collector, timing=load("paper").flat())
    recording = record(request, tmp_path)
    table = recording.profile.interval_table
    assert recording.metrics is not None
    assert recording.metrics.thread.tolist() == table.thread.tolist()
    assert recording.metrics.counters["instructions"].tolist() == table.length.tolist()


def test_a_recording_tells_itself_in_a_line(recorded: Recording) -> None:
    assert repr(recorded).startswith("<Recording: program=two, instructions=")
    assert recorded.frame()["program"].tolist() == ["two"] and "<table" in recorded._repr_html_()


def test_a_collector_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match=", ".join(COLLECTORS)):
        Request(("true",), INTERVAL, "magic")
