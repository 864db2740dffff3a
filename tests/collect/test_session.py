"""Real programs, end to end, under the default collector."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.collect import encoding as raw
from tests.collector.harness import build
from tests.waiting import LONG, until

import phasemark
from phasemark import store
from phasemark.checking import check
from phasemark.collect import Request, rebuild, record, session
from phasemark.collect.again import run_again
from phasemark.collect.engines.protocol import Job
from phasemark.collect.engines.registry import COLLECTORS
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.collect.running import Ended
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import CollectorError, DataError, MissingTool, UsageError, WorkError
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.simulate.config import load

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

BUSY = "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"


def phasemark_command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from phasemark.cli import main; main()", *arguments]


def test_two_runs_at_different_addresses_give_equal_files(tmp_path: Path) -> None:
    command = ("env", "-i", "sh", "-c", "echo $((6*7)) | cat")
    for name in "ab":
        record(Request(command, 10_000, process="cat"), tmp_path / name)
    first, second = ((tmp_path / name / "profile.h5").read_bytes() for name in "ab")
    assert first == second


def test_streams_pass_through_and_our_words_go_to_standard_error(tmp_path: Path) -> None:
    done = subprocess.run(
        phasemark_command(
            "profile", "-o", str(tmp_path), "--json", "--", "sh", "-c", "cat; echo e >&2; exit 5"
        ),
        input="in\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5
    first, last = done.stdout.splitlines()
    assert first == "in"
    said = json.loads(last)
    assert said["status"] == 5 and said["complete"] and said["instructions"] > 100_000
    assert "e" in done.stderr.splitlines()
    assert "exit status is 5" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["profile.h5", "run.json"]


def test_the_tree_is_followed_and_the_largest_image_is_analysed(tmp_path: Path) -> None:
    script = "true & seq 20000 >/dev/null; exec expr 1 + 1"
    run = record(Request(("sh", "-c", script), 10_000, process="one"), tmp_path)
    found = [(image.origin, image.program) for image in run.images]
    assert found[0] == ("start", "sh")
    assert {("fork", "sh"), ("exec", "seq"), ("exec", "expr")} <= set(found)
    assert run.analysed.program == "seq"
    assert all(image.ended for image in run.images)
    entry = run.folder.steps()["profile"]
    assert entry["analysed"] == run.analysed.number
    assert {p["program"] for p in entry["processes"]} == {"sh", "seq", "expr"}


def test_where_no_process_stands_for_the_program_all_are_analysed(tmp_path: Path) -> None:
    script = "seq 3000 >/dev/null; seq 3000 >/dev/null"
    run = record(Request(("sh", "-c", script), 10_000), tmp_path)
    assert run.profile.instructions == sum(image.instructions for image in run.images)
    entry = run.folder.steps()["profile"]
    assert (entry["analysed"], entry["process"]) == (0, "all")
    traced = record(Request(("sh", "-c", script), 10_000, events=True), tmp_path / "events")
    assert traced.analysed.number > 0


def test_a_process_that_was_not_there_is_a_failure_that_keeps_what_was_recorded(tmp_path: Path) -> None:
    run = record(Request(("true",), 10_000, process="gzip"), tmp_path)
    assert "a process 'gzip'" in run.failure
    assert run.profile.instructions
    assert rebuild(tmp_path, process="true").instructions == run.profile.instructions
    with pytest.raises(WorkError, match="nothing was recorded of a process"):
        phasemark.profile(["true"], tmp_path, interval="10k", process="gzip")


@pytest.mark.parametrize(("how", "status"), [("KILL", 137), ("SEGV", 139), ("TERM", 143)])
def test_a_program_that_a_signal_ends_keeps_what_was_collected(how: str, status: int, tmp_path: Path) -> None:
    run = record(Request(("sh", "-c", f"kill -{how} $$"), 10_000), tmp_path)
    assert run.status == status
    assert run.profile.instructions > 50_000
    assert run.interrupted and not run.profile.provenance.complete
    assert not run.failure


def test_a_program_that_another_one_kills_keeps_what_was_collected(tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; env kill -9 $$; sleep 9"
    run = record(Request(("sh", "-c", script), 10_000, process="1"), tmp_path)
    assert run.status == 137
    assert run.profile.instructions > 50_000
    assert not run.profile.provenance.complete
    assert not run.failure
    assert any("was killed" in warning for warning in run.warnings)


def test_a_short_program_is_told_which_interval_to_use(tmp_path: Path) -> None:
    # Of as many instructions anywhere: how many a hosted program executes is up to the language it is set to.
    run = record(Request((str(build("turns.S", tmp_path / "turns")),), 10**9), tmp_path / "out")
    assert len(run.profile.interval_table) == 1
    assert any("less than one interval" in w and "--interval 10k" in w for w in run.warnings)


@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (27_000_000, "less than one interval of 10,000,000,000: too few samples to tell phases apart"),
        (900_000_000, "; --interval 50M would give about 18 intervals"),
    ],
)
def test_no_interval_is_advised_that_is_too_short_for_samples(ran: int, said: str) -> None:
    origin = Provenance("perf", interval=10**10, details={"period": 1_000_000, "length_unit": "nanoseconds"})
    counts = Counts([0, 1], [0], [ran], 1)
    profile = Profile(Blocks(("/p",), [0], [0], [1], [4]), Intervals.of_thread([ran]), counts, origin)
    (told,) = session._short_run(profile)
    assert told.startswith(f"the program ran {ran:,} nanoseconds") and told.endswith(said)


def test_of_threads_the_longest_is_spoken_of() -> None:
    lengths, zeros = np.array([900_000, 40_000]), np.zeros(2, np.int64)
    table = Intervals(zeros, np.arange(2), zeros, zeros, lengths, zeros)
    counts = Counts([0, 1, 2], [0, 0], lengths, 1)
    blocks = Blocks(("/p",), [0], [0], [1], [4])
    (told,) = session._short_run(Profile(blocks, table, counts, Provenance("valgrind", interval=10**9)))
    assert told == (
        "the longest thread ran 900,000 instructions, less than one interval of 1,000,000,000; "
        "--interval 10k would give about 90 intervals of it"
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def finished(path: Path) -> store.Folder:
    """An earlier run with later steps, measurements of another tool, raw streams, a file of the user."""
    folder = record(Request(("true",), 10_000), path, keep_raw=True).folder
    with folder.change("test") as new:
        for name in ("report.html", "points.csv", "metrics.csv"):
            new[name].write_text(name)
        new.record("metrics", {"files": ["stats.txt"]})
        new.record("points", {})
    (path / "mine.txt").write_text("mine")
    return folder


def test_files_of_an_earlier_run_do_not_survive_but_for_what_is_dear(tmp_path: Path) -> None:
    earlier = finished(tmp_path).profile.read_bytes()
    stream = next(tmp_path.glob("raw/*.raw"))
    run = record(Request(("sh", "-c", "true"), 10_000), tmp_path, keep_raw=True)
    assert run.folder.path == tmp_path and run.folder.profile.read_bytes() != earlier
    assert names(tmp_path) == ["metrics.csv~", "mine.txt", "profile.h5", "raw", "run.json"]
    assert len(list((tmp_path / "raw").glob("*.raw"))) == 1 and not stream.exists()
    assert {"points.csv is removed", "metrics.csv is now metrics.csv~"} < set(run.discarded)
    assert set(run.folder.steps()) == {"profile"} and not run.folder.is_unfinished()
    assert record(Request(("true",), 10_000), tmp_path).folder.profile.read_bytes() == earlier
    assert names(tmp_path) == ["metrics.csv~", "mine.txt", "profile.h5", "run.json"]


def test_an_earlier_run_stays_until_another_one_is_done(tmp_path: Path, monkeypatch) -> None:
    finished(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    execute = session.execute
    recording = tmp_path / "recording"

    def watched(*arguments, **options) -> Ended:
        assert store.Folder(recording).is_unfinished()
        assert {path: path.read_bytes() for path in before} == before
        return execute(*arguments, **options)

    monkeypatch.setattr(session, "execute", watched)
    failed = record(Request(("true",), 10_000, process="gzip"), tmp_path)
    assert failed.folder.path == recording and failed.folder.state == "failed"
    assert f"the earlier run in {tmp_path} stays as it is; this one is in {recording}" in failed.warnings
    assert {path: path.read_bytes() for path in before} == before
    record(Request(("true",), 10_000), tmp_path)
    assert not recording.exists()
    monkeypatch.setattr(session, "execute", lambda *_, **__: Ended(1, 0.0))
    with pytest.raises(CollectorError, match="nothing was recorded of true"):
        record(Request(("true",), 10_000), tmp_path)
    assert phasemark.read(tmp_path).provenance.complete


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 3", "ended with status 3"),
        ("exit 200", "ended with status 200"),
        ("kill -TERM $$", "interrupted"),
    ],
)
def test_a_run_that_went_wrong_does_not_replace_a_finished_one(
    script: str, words: str, tmp_path: Path
) -> None:
    finished(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    run = record(Request(("sh", "-c", script), 10_000), tmp_path)
    assert run.is_beside and run.folder.path == tmp_path / "recording" and not run.folder.raw.exists()
    assert run.warnings[-1].startswith("kept the earlier run; the new one") and words in run.warnings[-1]
    assert {path: path.read_bytes() for path in before} == before
    done = subprocess.run(
        phasemark_command("run", "-o", str(tmp_path), "--", "sh", "-c", script),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == run.status and "kept the earlier run" in done.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert names(tmp_path / "recording") == ["profile.h5", "run.json"]


def test_a_status_that_is_the_earlier_runs_replaces_it(tmp_path: Path) -> None:
    for _ in range(2):
        run = record(Request(("sh", "-c", "exit 3"), 10_000), tmp_path)
        assert run.folder.path == tmp_path and not run.is_beside


@pytest.mark.parametrize("name", ["raw", "recording"])
def test_a_folder_of_the_users_is_not_taken_for_a_recording(name: str, tmp_path: Path) -> None:
    if name == "recording":
        finished(tmp_path)
    (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / name / "data").write_text("the user's")
    with pytest.raises(WorkError, match=f"{name}: a recording would take its place, and phasemark did not"):
        record(Request(("true",), 10_000), tmp_path)
    assert (tmp_path / name / "data").read_text() == "the user's"


def test_a_folder_that_cannot_be_written_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WorkError, match="is no folder, or within a file"):
        record(Request(("touch", str(tmp_path / "ran"))), tmp_path / "file" / "out")
    assert not (tmp_path / "ran").exists()


def test_checkpoints_are_readable_and_killing_phasemark_loses_little(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = (
        f"from phasemark.collect import *; record(Request(('sh', '-c', {BUSY!r}), 100000), {str(out)!r})"
    )
    script = f"from phasemark.collect import session; session._CHECKPOINT_SECONDS = 0.5; {program}"
    with subprocess.Popen([sys.executable, "-c", script], start_new_session=True) as process:
        try:
            until((out / "profile.h5").exists, process)
            checkpoint = phasemark.store.profile_h5.read(out / "profile.h5")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert not checkpoint.provenance.complete
    kept = phasemark.read(out)
    assert kept.instructions >= checkpoint.instructions > 0
    assert not kept.provenance.complete


def recorded_something(folder: Path) -> bool:
    try:
        return any(RawStream(path).instructions for path in folder.glob("raw/*.raw"))
    except DataError:
        return False  # a stream was just begun


def test_sigterm_to_phasemark_ends_the_program_and_keeps_its_profile(tmp_path: Path) -> None:
    command = phasemark_command("profile", "-o", str(tmp_path), "--interval", "100k", "--", "sh", "-c", BUSY)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            until(lambda: recorded_something(tmp_path), process)
            process.terminate()
            said = process.communicate(timeout=LONG)[1]
        finally:
            process.terminate()
    assert process.returncode == 143, said
    kept = phasemark.read(tmp_path)
    assert kept.instructions and not kept.provenance.complete
    assert "warning: the run was interrupted: a signal ended" in said and "(exit status 143)" in said
    assert "the run was interrupted" in kept.provenance.warnings[0]
    entry = store.Folder(tmp_path).entry_of("profile")
    assert entry["complete"] is False and entry["warnings"] == list(kept.provenance.warnings)
    found = {checked.path.name: checked.found for checked in check([tmp_path])}
    assert found["profile.h5"].endswith("; incomplete: the run was cut short")


def test_a_server_that_ends_in_order_when_it_is_told_to_is_whole(tmp_path: Path) -> None:
    server = f"trap 'exit 0' TERM; {BUSY}"
    command = phasemark_command(
        "profile", "-o", str(tmp_path), "--interval", "100k", "--", "sh", "-c", server
    )
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            until(lambda: recorded_something(tmp_path), process)
            process.terminate()
            said = process.communicate(timeout=LONG)[1]
        finally:
            process.terminate()
    assert process.returncode == 0 and "interrupted" not in said and "warning" not in said, said
    assert phasemark.read(tmp_path).provenance.complete


def test_a_hundred_and_thirty_processes_end_on_sigterm_and_are_kept(tmp_path: Path) -> None:
    crowd, out = build("crowd.c", tmp_path / "crowd"), tmp_path / "out"
    command = phasemark_command(
        "profile", "-q", "-o", str(out), "--interval", "1000", "--", str(crowd), "130"
    )
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            until(lambda: len([*out.glob("raw/*.raw")]) == 131, process)
            process.terminate()
            said = process.communicate(timeout=LONG)[1]
        finally:
            process.terminate()
    assert process.returncode == 143, said
    processes = store.Folder(out).entry_of("profile")["processes"]
    assert len(processes) == 131 and all(one["instructions"] for one in processes)
    assert not [one["pid"] for one in processes if Path(f"/proc/{one['pid']}").exists()]
    assert phasemark.read(out).instructions


def test_all_processes_are_analysed_together(tmp_path: Path) -> None:
    timing = load().flat()
    asked = Request(("sh", "-c", "seq 3000 | sort -r >/dev/null"), 100_000, process="all", timing=timing)
    recording = record(asked, tmp_path)
    made, threads = recording.profile, recording.profile.threads
    assert threads is not None and {"sh", "seq", "sort"} <= set(threads.program)
    images = [image for image in recording.images if image.instructions]
    assert made.instructions == sum(image.instructions for image in images)
    table = made.interval_table
    for image in images:
        own = threads.thread[threads.process == image.number]
        assert int(table.length[np.isin(table.thread, own)].sum()) == image.instructions
        assert set(threads.pid[threads.process == image.number].tolist()) == {image.pid}
    assert len(recording.images) == 5  # the shell, and two that it forks and that execute a program
    assert str(recording.process) == "all 3 processes"
    assert store.Folder(tmp_path).analysed == recording.process
    assert recording.metrics is not None
    assert recording.metrics.counters["instructions"].sum() == made.instructions
    assert recording.metrics.rows(table.run, table.thread, table.index).min() >= 0
    again = run_again(COLLECTORS["valgrind"], Job(("true",), 100_000), process="all")
    with pytest.raises(UsageError, match="several processes"), again:
        pass
    with pytest.raises(UsageError, match="exp-bbv does not put processes together"):
        Request(("true",), 100_000, "exp-bbv", "all")
    with pytest.raises(UsageError, match="of one process"):
        Request(("true",), 100_000, process="all", events=True)


def test_a_full_disk_is_told_and_what_there_is_is_kept(tmp_path: Path) -> None:
    """Stands for a full disk: files may not grow beyond 100 kB."""
    command = phasemark_command("profile", "-o", str(tmp_path), "--interval", "10k", "--", "seq", "100000")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # noqa: E731
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert done.returncode == 1, done.stderr
    assert "could not be written" in done.stderr
    kept = phasemark.read(tmp_path)
    assert kept.instructions and not kept.provenance.complete


def test_nothing_recorded_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "execute", lambda *_, **__: Ended(1, 0.0))
    with pytest.raises(CollectorError, match="nothing was recorded of true"):
        record(Request(("true",), 10_000), tmp_path)


def test_a_run_in_progress_reads_as_incomplete(tmp_path: Path) -> None:
    folder = phasemark.store.folder.Folder(tmp_path)
    folder.record("profile", Request(("prog",), 10).entry(state="running"))
    (tmp_path / "raw").mkdir()
    raw.write(
        tmp_path / "raw" / "100.0.raw",
        raw.header(),
        raw.module(0, "/bin/prog"),
        raw.thread(0),
        raw.block(0, (0, 0, [1])),
        raw.interval(0, 0, 4, {0: 4}, kind="P"),
    )
    kept = phasemark.read(tmp_path)
    assert kept.instructions == 4
    assert not kept.provenance.complete


def test_one_run_at_a_time_in_a_folder(tmp_path: Path) -> None:
    refused: list[str] = []

    def another() -> None:
        try:
            record(Request(("true",), 10_000), tmp_path)
        except WorkError as error:
            refused.append(str(error))

    with session.Folder(tmp_path).held("simulate", takes_long=True):
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
    assert f"`phasemark simulate` (process {os.getpid()}) is at work in it" in refused[0]
    assert record(Request(("true",), 10_000), tmp_path).status == 0


THREADS = """
#include <pthread.h>
static pthread_barrier_t gate;
static void *wait(void *none) { pthread_barrier_wait(&gate); return none; }
int main(void)
{
    pthread_t threads[600];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_barrier_init(&gate, 0, 600);
    for (int i = 0; i < 600; i++)
        if (pthread_create(&threads[i], &small, wait, 0))
            return 1;
    for (int i = 0; i < 600; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""


def test_six_hundred_threads_at_once(tmp_path: Path) -> None:
    built = tmp_path / "threads"
    subprocess.run(
        ["gcc", "-O1", "-pthread", "-x", "c", "-", "-o", built], input=THREADS, text=True, check=True
    )
    run = record(Request((str(built),), 100_000_000), tmp_path / "out")
    assert run.status == 0
    assert run.analysed.threads == 601


def test_a_program_that_removes_its_output_folder_keeps_its_status(tmp_path: Path) -> None:
    with pytest.raises(CollectorError, match="was removed while it ran") as caught:
        record(Request(("sh", "-c", f"rm -r '{tmp_path}/out'; exit 4")), tmp_path / "out")
    assert caught.value.exit_status == 4


def test_who_lives_on_finds_where_to_write(tmp_path: Path) -> None:
    script = "(read line <go; /bin/echo lived >lived) >/dev/null 2>&1 & echo"
    os.mkfifo(tmp_path / "go")
    recording = record(Request(("sh", "-c", script), cwd=tmp_path), tmp_path / "out")
    assert any("still run" in warning for warning in recording.warnings)
    (tmp_path / "go").write_text("\n")
    until(lambda: (tmp_path / "lived").exists() and (tmp_path / "lived").read_text())
    assert (tmp_path / "lived").read_text() == "lived\n"


def test_what_was_not_recorded_is_kept_and_told(tmp_path: Path) -> None:
    own = Path(shutil.copy(shutil.which("true") or "", tmp_path / "own"))
    own.chmod(0o4755)
    recording = record(Request(("sh", "-c", f"'{own}'; exit 3")), tmp_path / "out")
    sentence = (
        f"{own} runs with rights of its own (setuid, setgid or capabilities), and ran without being recorded"
    )
    assert recording.status == 3 and sentence in recording.warnings
    assert all(image.ended for image in recording.images)
    checked = {found.path.name: found for found in check([tmp_path / "out"])}
    assert not checked["run.json"].whole and sentence in checked["run.json"].found
    assert checked["profile.h5"].whole


def _has_ended(stream: Path) -> bool:
    """Whether the program came to its end, and all of it is written; a stream begins empty."""
    return stream.stat().st_size > 0 and RawStream(stream).total is not None


def test_the_program_outlives_a_phasemark_that_is_killed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    script = "echo >ready; read line <go; /bin/echo done >done"
    with subprocess.Popen(phasemark_command("profile", "-q", "sh", "-c", script), cwd=tmp_path) as process:
        until((tmp_path / "ready").exists, process)
        process.kill()
    (tmp_path / "go").write_text("\n")
    streams = tmp_path / "sh.phasemark" / "raw"
    # Those of the shell and of echo; the child of the shell that became echo has none.
    until(lambda: sum(map(_has_ended, streams.glob("*.raw"))) == 2)
    assert (tmp_path / "done").read_text() == "done\n"
    assert rebuild(tmp_path / "sh.phasemark").instructions
