"""Programs that are followed: by a perf that is made up, and by the real one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.collect.live import fake
from tests.formats.perf import piping
from tests.waiting import LONG

from phasemark.collect.engines import perf
from phasemark.collect.live import following, recorder
from phasemark.collect.live.cutting import Stretch
from phasemark.collect.live.feed import Tick, Wanted
from phasemark.collect.live.following import Followed, Source, follow, require_ours, source
from phasemark.errors import CollectorError, MissingTool, UsageError
from phasemark.formats.perf import data

STEP = 2_000_000
BEGUN = piping.HEADER + piping.attributes()


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "EVERY", 0.01)


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", str(LONG)]) as process:
        yield process
        process.kill()


def faked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *pieces: bytes) -> Path:
    folder = fake.perf(tmp_path / "fake", *pieces)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def stream(*rounds: bytes) -> bytes:
    """A stream of one process, each round of which is told with the one after it."""
    return BEGUN + b"".join(one + piping.turn() for one in rounds) + 2 * piping.turn()


def busy(ip: int, begin: int, n: int = 200) -> bytes:
    return piping.samples(7, [ip] * n, begin * STEP, STEP)


def until_count(process: subprocess.Popen[bytes], wanted: int, of: Source) -> Tick:
    deadline = time.monotonic() + LONG

    def tick() -> None:
        assert not of.beside.failure
        assert time.monotonic() < deadline, f"{of.samples} samples, {of.lost} lost, and not {wanted}"
        if of.samples >= wanted:
            process.kill()

    return tick


def followed(process: subprocess.Popen[bytes], samples: int = 1) -> tuple[list[Stretch], Source, Followed]:
    wanted = Wanted(pid=process.pid, signature="address")
    made = source(wanted)
    found: list[Stretch] = []
    ended = follow(wanted, made, found.append, until_count(process, samples, made))
    return found, made, ended


def test_samples_of_a_process_become_intervals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    mapped = piping.mapping(7, 0x1000, 0x1000, "/a") + busy(0x1010, 1)
    faked(tmp_path, monkeypatch, stream(mapped), stream(busy(0x1020, 201))[len(BEGUN) :])
    found, made, ended = followed(sleeper, 400)
    assert [(one.length, one.samples) for one in found] == [(200 * STEP, 200)] * 2
    assert [{code.offset for code in one.codes} for one in found] == [{0x10}, {0x20}]
    assert ended == Followed(0, "", 400, 0) and (made.unit, made.event) == ("nanoseconds", "task-clock:u")
    assert made.pid == sleeper.pid


def test_perf_is_gone_afterwards_and_was_asked_for_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    folder = faked(tmp_path, monkeypatch, stream(busy(1, 1)))
    followed(sleeper)
    pid, *command = (folder / "ran").read_text().splitlines()
    assert not Path(f"/proc/{pid}").exists()
    assert command[command.index("-p") + 1] == str(sleeper.pid)
    assert command[command.index("-e") :][:4] == ["-e", "task-clock:u", "-c", "2000000"]


def test_instructions_are_sampled_by_rate_where_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    parts = piping.PARTS | piping.PERIOD
    begun = piping.HEADER + piping.attributes(1000, parts, 1 << 10 | 1 << 18)
    some = b"".join(piping.sample(7, 1, n * STEP, period=100 * STEP) for n in range(1, 6))
    folder = faked(tmp_path, monkeypatch, begun + some + 3 * piping.turn())
    (folder / "counters").touch()
    found, made, _ = followed(sleeper, 5)
    assert (made.unit, made.event, [one.length for one in found]) == ("instructions", "instructions:u", [])
    assert made.cutter.open.length == 500 * STEP
    command = (folder / "ran").read_text().splitlines()
    assert command[command.index("-e") :][:4] == ["-e", "instructions:u", "-F", "500"]


def test_a_deaf_perf_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    monkeypatch.setattr(recorder, "_ENDING", 0.1)
    folder = faked(tmp_path, monkeypatch, stream(busy(1, 1)))
    (folder / "deaf").touch()
    found, _, ended = followed(sleeper)
    assert len(found) == 1 and ended.killed
    assert not Path(f"/proc/{(folder / 'ran').read_text().split()[0]}").exists()


@pytest.mark.parametrize(
    "failing",
    [
        (BEGUN + bytes(64), None, "perf's stream cannot be read: a record of 0 bytes"),
        (stream(busy(1, 1)), "it was the disk", "it was the disk"),
        (stream(busy(1, 1)), "", "it gave no reason"),
        (stream(busy(1, 1)), "SIGKILL", "it was ended by signal 9"),
    ],
)
def test_where_perf_fails_the_program_goes_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sleeper: subprocess.Popen[bytes],
    failing: tuple[bytes, str | None, str],
) -> None:
    piece, end, why = failing
    folder = faked(tmp_path, monkeypatch, piece)
    if end is not None:
        (folder / ("killed2" if end == "SIGKILL" else "end2")).write_text(end)
    wanted = Wanted(pid=sleeper.pid, signature="address")
    made = source(wanted)

    def tick() -> None:
        if made.beside.failure:
            assert sleeper.poll() is None
            sleeper.kill()

    ended = follow(wanted, made, lambda _: None, tick)
    assert ended.failure.startswith(why) and ended.status == 0


def test_a_perf_that_cannot_attach_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    folder = faked(tmp_path, monkeypatch)
    (folder / "why").write_text("Error: no such event")
    with pytest.raises(CollectorError, match=r"perf cannot sample process \d+: Error: no such event"):
        followed(sleeper)
    (folder / "why").write_text("Error:\nHint: Try increasing the limit with 'ulimit -n <limit>'")
    with pytest.raises(CollectorError, match=r"process \d+ has too many threads") as caught:
        followed(sleeper)
    assert "ulimit -n 1000000" in caught.value.hint and sleeper.poll() is None


def test_a_perf_that_ends_before_it_is_told_anything_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes]
) -> None:
    (faked(tmp_path, monkeypatch) / "why").write_text("Error: no such event")
    made = source(Wanted(pid=sleeper.pid, signature="address"))
    begin = recorder.Recorder.begin

    def late(perf: recorder.Recorder) -> bytes | None:
        perf._process.wait()
        return begin(perf)

    monkeypatch.setattr(recorder.Recorder, "begin", late)
    with pytest.raises(CollectorError, match="Error: no such event"):
        made.start(sleeper.pid)
    assert list(made.beside.rest()) == []


def test_what_is_forbidden_or_missing_is_said_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = faked(tmp_path, monkeypatch)
    (folder / "forbidden").touch()
    with pytest.raises(CollectorError, match=r"perf cannot sample|only root may sample"):
        source(Wanted(command=("true",)))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingTool, match="perf is not in PATH") as caught:
        source(Wanted(pid=os.getpid()))
    assert "--collector" not in caught.value.hint
    with pytest.raises(MissingTool, match="perf is not in PATH") as caught:
        source(Wanted(command=("true",)))
    assert caught.value.hint.endswith("; or follow it more slowly, without perf: --collector valgrind")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(), "either a command or a process"),
        (Wanted(("true",), pid=1), "either a command or a process"),
        (Wanted(("true",), signature="x"), "'x' is no signature"),
        (Wanted(("true",), interval=5), "intervals of 5 nanoseconds are shorter"),
        (Wanted(pid=0), "0 is no process"),
        (Wanted(pid=-4), "-4 is no process"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Wanted, said: str
) -> None:
    faked(tmp_path, monkeypatch)
    with pytest.raises(UsageError, match=said):
        source(wanted)


def test_a_process_must_be_there_and_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    require_ours(os.getpid())
    gone = subprocess.Popen(["true"])
    os.waitid(os.P_PID, gone.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(CollectorError, match=r"process \d+ \(true\) has ended"):
        require_ours(gone.pid)
    gone.wait()
    with pytest.raises(CollectorError, match="there is no process"):
        require_ours(gone.pid)
    owner = Path("/proc/1").stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1000)
    with pytest.raises(CollectorError, match=rf"process 1 \(.*\) is not yours, but that of user {owner}"):
        require_ours(1)


def test_a_thread_is_told_from_its_process() -> None:
    script = (
        "import threading; e = threading.Event(); threading.Thread(target=e.wait).start(); "
        "print(1, flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            tasks = {int(path.name) for path in Path(f"/proc/{process.pid}/task").iterdir()}
            (thread,) = tasks - {process.pid}
            with pytest.raises(UsageError, match=f"{thread} is a thread of process {process.pid}"):
                require_ours(thread)
        finally:
            process.kill()  # its thread would wait for ever


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_asks_us_to_end_ends_the_watching_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeper: subprocess.Popen[bytes], number: signal.Signals
) -> None:
    faked(tmp_path, monkeypatch, stream(busy(1, 1)))
    before = signal.getsignal(number)
    wanted = Wanted(pid=sleeper.pid, signature="address")
    made = source(wanted)
    found: list[Stretch] = []

    def tick() -> None:
        if found:
            os.kill(os.getpid(), number)

    assert follow(wanted, made, found.append, tick).status == 128 + number
    assert sleeper.poll() is None and signal.getsignal(number) == before


def test_a_commands_status_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faked(tmp_path, monkeypatch, stream(busy(1, 1)))
    wanted = Wanted(command=("sh", "-c", "exit 7"), signature="address")
    assert follow(wanted, source(wanted), lambda _: None, lambda: None).status == 7


def test_memory_does_not_grow_however_long_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of a program that starts processes and maps files all the time, without perf."""
    from phasemark.formats.perf.piped import Piped
    from phasemark.formats.perf.rounds import Rounds

    faked(tmp_path, monkeypatch)
    made = source(Wanted(pid=os.getpid(), signature="address"))
    piped, rounds = Piped(), Rounds()
    intervals = 0
    sizes = []
    piece = BEGUN
    for n in range(600):
        now, pid = (n + 1) * 500, 100 + n
        piece += piping.task(pid, pid, 7, 7, now * STEP) + piping.mapping(
            pid, 0x1000, 0x1000, f"/lib/{n % 50}", time=now * STEP
        )
        piece += b"".join(
            piping.sample(pid, 0x1000 + (n * 40 + k) % 4096, (now + k) * STEP) for k in range(1, 100)
        )
        piece += piping.task(pid, pid, 7, 7, (now + 200) * STEP, begins=False) + piping.turn()
        intervals += sum(1 for _ in made.intervals(rounds.take(piped.feed(piece))))
        piece = b""
        places = made.places
        sizes.append((len(places.processes), len(rounds._batches), len(made.cutter.open.codes)))
    assert intervals > 200
    assert max(size for row in sizes for size in row) < 300
    assert made.samples > 59_000


# ------------------------------------------------------------ the real one


@pytest.fixture(scope="module")
def real() -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not there")
    try:
        perf.probed(data.find())
        perf.hold_file()
    except (CollectorError, MissingTool) as error:
        pytest.skip(str(error))


SPIN = "import time\ndef spin():\n    while time.process_time() < {}: sum(range(10000))\nspin()"


@pytest.mark.usefixtures("real")
def test_a_command_is_followed_to_its_end() -> None:
    wanted = Wanted(
        command=(sys.executable, "-c", SPIN.format(0.5) + "\nraise SystemExit(3)"), interval=50 * STEP
    )
    made = source(wanted)
    found: list[Stretch] = []
    ended = follow(wanted, made, found.append, lambda: None)
    assert ended.status == 3 and not ended.failure
    assert len(found) >= 3 and ended.samples >= 150
    modules = {code.module for one in found for code in one.codes}
    assert any("python" in module for module in modules)


@pytest.mark.usefixtures("real")
def test_a_process_that_runs_is_followed_with_its_threads() -> None:
    script = "import threading\ndef f():\n    while True: sum(range(1000))\n" + (
        "[threading.Thread(target=f, daemon=True).start() for _ in range(3)]\nprint(1, flush=True)\nf()"
    )
    before = _children_named("perf")
    with subprocess.Popen([sys.executable, "-c", script], stdout=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            found, _, ended = followed(process, 400)
        finally:
            process.kill()
    assert ended.samples >= 400 and len(found) >= 1 and not ended.failure
    assert _children_named("perf") <= before


def _children_named(name: str) -> set[int]:
    command = ["ps", "--ppid", str(os.getpid()), "-o", "pid=,comm="]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return {int(line.split()[0]) for line in found.stdout.splitlines() if line.split()[1] == name}
