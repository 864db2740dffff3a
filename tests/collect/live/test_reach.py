"""Processes of more threads than perf may open files for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.collect.live import fake
from tests.formats.perf import piping
from tests.waiting import until

from phasemark.collect.engines import perf
from phasemark.collect.live import reach, streamed
from phasemark.collect.live.family import Family
from phasemark.collect.live.reach import Reach
from phasemark.collect.live.streamed import Streamed
from phasemark.errors import CollectorError, MissingTool
from phasemark.formats.perf import data
from phasemark.formats.perf.lines import Lost, Mapping, Task
from phasemark.formats.perf.piped import At, Batch, Piped
from phasemark.formats.perf.rounds import Rounds

PERIOD = ["-e", "task-clock:u", "-c", "2000000"]


def pids(seen: Streamed, wanted: int) -> list[int]:
    """Of the samples so far, once there are so many."""
    found: list[int] = []

    def there() -> bool:
        assert not seen.failure
        found.extend(pid for one in seen.read() if isinstance(one, Batch) for pid in one.pid.tolist())
        return len(found) >= wanted

    until(there)
    return found


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        ("-p", (["-a"], "has 3 threads, more than perf may open files for: the whole machine is", [7] * 4)),
        ("-p -a", (["-t", "12,11", "--inherit"], "the 2 busiest are watched", [7] * 4 + [8] * 4)),
        ("-p -a 12,11", (["-t", "12", "--inherit"], "the 1 busiest are watched", [7] * 4 + [8] * 4)),
    ],
)
def test_what_can_be_seen_is_seen_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str, expected: tuple[list[str], str, list[int]]
) -> None:
    options, note, of = expected
    monkeypatch.setattr(reach, "_LOOK", 0)
    monkeypatch.setattr(reach, "_run_times", lambda _: {10: 0, 11: 5, 12: 8})
    samples = piping.samples(7, [1] * 4, 1) + piping.samples(8, [1] * 4, 10**8) + 3 * piping.turn()
    folder = fake.perf(tmp_path, piping.HEADER + piping.attributes() + samples)
    (folder / "too many").write_text(refused)
    seen = Streamed(str(folder / "perf"), PERIOD)
    seen.start(7)
    try:
        assert sorted(pids(seen, len(of))) == of
        assert note in seen.note
        command = (folder / "ran").read_text().splitlines()
        assert command[command.index(options[0]) :][: len(options)] == options
    finally:
        list(seen.rest())


def test_where_nothing_can_be_seen_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "_LOOK", 0)
    (fake.perf(tmp_path) / "too many").write_text("-p -a -t")
    with pytest.raises(CollectorError, match=rf"process {os.getpid()} has too many threads") as caught:
        Streamed(str(tmp_path / "perf"), PERIOD).start(os.getpid())
    assert "ulimit -n 1000000" in caught.value.hint


def test_the_busiest_threads_of_a_process_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that counts, one that waits, and the one that looks on until the first has counted.

    In a fifth of a second it might not have, on a machine that has others to run.
    """
    over, known = threading.Event(), threading.Event()
    busy: list[int] = []

    def count() -> None:
        busy.append(threading.get_native_id())
        known.set()
        while not over.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=count), threading.Thread(target=over.wait)]
    for thread in threads:
        thread.start()
    known.wait()

    def look(_: float) -> None:
        begun = reach._run_times(os.getpid())[busy[0]]
        until(lambda: reach._run_times(os.getpid())[busy[0]] > begun + 100_000_000)

    monkeypatch.setattr(reach, "time", SimpleNamespace(sleep=look))
    monkeypatch.setattr(reach, "_fitting", lambda: 1)
    try:
        machine, some = reach.others(os.getpid())
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert machine.machine and not some.machine
    assert some.options == ["-t", str(busy[0]), "--inherit"]
    assert "the 1 busiest are watched, and those that they start (" in some.note


def test_files_are_two_for_a_thread_on_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(reach.resource, "getrlimit", lambda _: (1, 256 + 16 * 7 + 15))
    assert reach._fitting() == 7


def family(*rounds: bytes) -> list[object]:
    pieces = Piped().feed(piping.HEADER + piping.attributes() + b"".join(rounds) + 3 * piping.turn())
    ours = Family(7)
    return list(ours.of(Rounds().take(ours.news(pieces))))


def test_of_all_that_runs_a_process_and_what_it_starts_is_ours() -> None:
    told = family(
        piping.task(5, 5, 7, 7, 0),  # was there already
        piping.task(6, 6, 1, 1, 1) + piping.task(8, 8, 7, 7, 2) + piping.task(9, 9, 8, 8, 3),
        b"".join(piping.samples(pid, [1] * pid, 10) for pid in (5, 6, 7, 8, 9)),
        piping.mapping(6, 0x1000, 0x1000, "/b", time=11) + piping.mapping(9, 0x1000, 0x1000, "/a", time=11),
        piping.task(9, 9, 8, 8, 10**8, begins=False) + piping.lost(3),
        piping.samples(9, [1] * 3, 2 * 10**8),  # another program's, under a number that is free again
    )
    samples = [pid for one in told if isinstance(one, Batch) for pid in one.pid.tolist()]
    assert {pid: samples.count(pid) for pid in samples} == {7: 7, 8: 8, 9: 9}
    assert [(one.pid, one.begins) for one in told if isinstance(one, Task)] == [
        *((8, True), (9, True), (9, False))
    ]
    assert [one.name for one in told if isinstance(one, Mapping)] == [b"/a"]
    assert [one.count for one in told if isinstance(one, Lost)] == [3]


def test_processes_from_before_are_dropped_and_their_threads_are_not() -> None:
    pieces = [
        At(0, Task(True, 5, 5, 7, 7)),
        At(0, Task(True, 7, 8, 7, 7)),
        At(0, Lost(1)),
        At(4, Task(True, 5, 5, 7, 7)),
    ]
    assert list(Family.news(pieces)) == pieces[1:]


def test_a_process_is_ours_until_its_last_thread_has_ended() -> None:
    told = family(
        piping.task(8, 8, 7, 7, 1) + piping.task(8, 9, 8, 8, 2) + piping.task(8, 8, 7, 7, 3, begins=False),
        piping.samples(8, [1] * 2, 4) + piping.task(8, 9, 8, 8, 10**8, begins=False),
        piping.samples(8, [1] * 3, 2 * 10**8) + piping.task(7, 7, 1, 1, 3 * 10**8, begins=False),
        piping.samples(7, [1] * 4, 4 * 10**8),
    )
    assert [pid for one in told if isinstance(one, Batch) for pid in one.pid.tolist()] == [8] * 2 + [7] * 4


# ------------------------------------------------------------ the real one


@pytest.fixture
def spinner() -> Iterator[int]:
    script = (
        "import threading\ndef f():\n    while True: sum(range(1000))\n"
        "threading.Thread(target=f, daemon=True).start()\nprint(1, flush=True)\nf()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=-1) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


@pytest.mark.parametrize("machine", [True, False])
def test_perf_does_as_it_is_asked(monkeypatch: pytest.MonkeyPatch, spinner: int, machine: bool) -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not there")
    try:
        perf.probed(data.find())
    except (CollectorError, MissingTool) as error:
        pytest.skip(str(error))
    monkeypatch.setattr(reach, "_LOOK", 0.1)
    monkeypatch.setattr(streamed, "_too_many", lambda said: said is not None)
    monkeypatch.setattr(reach, "whole", lambda _: Reach(["--no-such-option"]))
    ways = reach.others
    monkeypatch.setattr(reach, "others", lambda pid: (way for way in ways(pid) if way.machine == machine))
    seen = Streamed(data.find(), PERIOD)
    try:
        seen.start(spinner)
    except CollectorError:
        if machine:
            pytest.skip("only root may sample the whole machine here")
        raise
    try:
        assert set(pids(seen, 20)) == {spinner}
    finally:
        list(seen.rest())
