"""Programs that a collector runs and sends the intervals of: as its profile has them, and odd streams."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collect import encoding as raw
from tests.collector.harness import build, collector_folder

from phasemark import signatures
from phasemark.collect import Request, record
from phasemark.collect.engines.protocol import Fold, Invocation, Job
from phasemark.collect.engines.registry import LIVE_COLLECTORS
from phasemark.collect.live import collecting, counted
from phasemark.collect.live.collecting import Source
from phasemark.collect.live.counted import Counted, Intervals
from phasemark.collect.live.feed import Ending, Wanted
from phasemark.collect.live.feeds import feed
from phasemark.errors import DataError, UsageError
from phasemark.model import Profile
from phasemark.online import Tracker

INTERVAL = 1000

HEADER = {"live": 1, "counters": 2, "seed": 1, "interval": 10}


# ---------------------------------------------------------------- as the profile has them


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if collector_folder() is None:
        pytest.skip("the collector was not built")
    folder = tmp_path_factory.mktemp("programs")
    for name in ("alternating", "threads"):
        build(f"{name}.S", folder / name)
    return folder


@pytest.fixture(scope="module")
def profile(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Profile:
    request = Request((str(programs / "alternating"),), INTERVAL)
    return record(request, tmp_path_factory.mktemp("run")).profile


def followed(
    *command: object,
    counters: int = 32,
    interval: int = INTERVAL,
    collector: str = "valgrind",
    tick: Callable[[], None] = lambda: None,
) -> tuple[Ending, list[Counted], Source]:
    source = feed(Wanted([*map(str, command)], interval=interval, collector=collector), counters, 1)
    assert isinstance(source, Source)
    taken: list[Counted] = []
    ending = source.follow(taken.append, tick)
    return ending, taken, source


@pytest.mark.parametrize(
    ("collector", "counters"), [("valgrind", 1), ("valgrind", 2), ("valgrind", 256), ("qemu", 32)]
)
def test_phases_and_distances_are_those_of_the_profiles_rows(
    collector: str, counters: int, programs: Path, profile: Profile
) -> None:
    ending, taken, source = followed(programs / "alternating", counters=counters, collector=collector)
    assert ending == Ending(0, "", ()) and dict(source.seen) == {"processes": 1, "threads": 1}
    parameters = {"counters": counters, "min_count": 2, "bits": 9}
    one, other = Tracker(**parameters), Tracker(**parameters)
    rows = one.track(signatures.counts(profile))
    seen = [other.update_counters(interval.counters) for interval in taken]
    assert [(s.phase, s.distance, s.new) for s in seen] == list(
        zip(rows.phase.tolist(), rows.distance.tolist(), rows.new.tolist(), strict=True)
    )
    assert [i.length for i in taken] == profile.interval_table.length.tolist()
    assert one.save() == other.save() and other.saturated > 0
    assert len(set(rows.phase.tolist())) > (2 if counters > 2 else 0)


def test_intervals_of_threads_come_as_they_end(programs: Path, tmp_path: Path) -> None:
    program = programs / "threads"
    profile = record(Request((str(program),), 50), tmp_path / "run").profile
    _, taken, source = followed(program, interval=50)
    assert dict(source.seen) == {"processes": 1, "threads": 2}
    table = profile.interval_table
    child = [interval for interval in taken if interval.thread == 1]
    rows = profile.vectors.select((table.thread == 1).nonzero()[0])
    named = rows.named(signatures.counts(profile).keys)
    trackers = Tracker(), Tracker()
    seen = [trackers[0].update_counters(interval.counters) for interval in child]
    assert [s.distance for s in seen] == trackers[1].track(named).distance.tolist()
    assert [i.start for i in child] == table.start[table.thread == 1].tolist()
    ends = {interval.thread: interval.start + interval.length for interval in taken}
    assert sum(interval.length for interval in taken) == sum(ends.values())
    assert all(one.ended <= other.began for one, other in pairwise(taken))


@pytest.mark.parametrize("collector", LIVE_COLLECTORS)
def test_children_and_programs_that_are_executed_are_followed(collector: str, programs: Path) -> None:
    script = f"cd '{programs}'; ./alternating & ./alternating & wait; exec ./alternating"
    ending, taken, source = followed("/bin/sh", "-c", script, collector=collector)
    assert ending == Ending(0, "", ())
    assert source.seen["processes"] == 3
    heaviest = [max(i.codes, key=i.codes.__getitem__) for i in taken]
    loops = [i for i, code in zip(taken, heaviest, strict=True) if code.module.endswith("/alternating")]
    # 32 intervals of each: what there was of the shell's last before it executed another is one of its own.
    assert len({i.pid for i in loops}) == 3
    assert all(sum(one.pid == pid for one in loops) == 31 for pid in {i.pid for i in loops})


def test_a_program_that_is_killed_leaves_what_came_until_then(programs: Path) -> None:
    script = "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"
    taken: list[Counted] = []
    source = feed(Wanted(("/bin/sh", "-c", script), interval=1_000_000, collector="valgrind"), 32, 1)

    def tick() -> None:
        if len(taken) > 3:
            os.kill(source.pid, signal.SIGKILL)

    ending = source.follow(taken.append, tick)  # type: ignore[arg-type]
    assert (ending.status, ending.failure) == (137, "")
    assert [one.start for one in taken] == [1_000_000 * number for number in range(len(taken))]


# ---------------------------------------------------------------- collectors that are made up


class Made:
    """A collector that is a shell script, in the folder with the pipe."""

    name = "made"

    def __init__(self, script: str, said: tuple[str, ...] = ()) -> None:
        self._script, self._said = script, said

    def prepare(self, job: Job, folder: Path) -> Invocation:
        return Invocation(["/bin/sh", "-c", f"cd '{folder}'; {self._script}"])

    def images(self, folder: Path) -> tuple[list[object], list[str]]:
        return [], [*self._said]


def made(script: str, *said: str) -> Source:
    return Source(Wanted(("true",), interval=10), Made(script, said), Fold(2, 1))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "EVERY", 0.01)


def sent(path: Path, *pieces: bytes) -> str:
    path.write_bytes(b"".join(pieces))
    return f"exec 3>live; cat '{path}' >&3"


def test_who_sends_nothing_is_told_with_what_the_collector_says() -> None:
    ending = made("exit 3", "it could not be made").follow(lambda _: None, lambda: None)
    assert ending == Ending(3, "nothing came from the collector; it could not be made", ())


def test_a_broken_stream_ends_the_tracking_and_not_the_program(tmp_path: Path) -> None:
    whole = raw.packets(raw.header(**HEADER), raw.thread(0), raw.folded(0, 0, [3, 4]))
    taken: list[object] = []
    script = sent(tmp_path / "sent", whole, b"rubbish" * 1000)
    source = made(f"{script}; head -c 5000000 /dev/zero >&3 2>/dev/null; exit 5")
    ending = source.follow(taken.append, lambda: None)
    assert ending.status == 5 and len(taken) == 1
    assert ending.failure == (
        f"what the collector sent is broken, and tracking ended there: byte {len(whole)}: "
        "this is no packet of a live stream"
    )


@pytest.mark.parametrize("where", ["take", "tick"])
def test_a_fault_of_ours_does_not_leave_the_program_waiting(where: str, tmp_path: Path) -> None:
    whole = raw.packets(raw.header(**HEADER), raw.thread(0), raw.folded(0, 0, [3, 4]))
    waits = f"until [ -e '{tmp_path}/failed' ]; do sleep 0.01; done"
    script = (
        f"{sent(tmp_path / 'sent', whole)}; {waits}; head -c 9000000 /dev/zero >&3; touch '{tmp_path}/on'"
    )
    source = made(script)

    def fails(*_: object) -> None:
        (tmp_path / "failed").touch()
        raise RuntimeError("no room")

    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    with pytest.raises(RuntimeError, match="no room"):
        source.follow(fails if where == "take" else nothing, fails if where == "tick" else nothing)
    assert (tmp_path / "on").exists()


def test_processes_that_outlive_the_program_are_told(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as sleeper:
        header = raw.header(["/opt/server"], **{**HEADER, "pid": sleeper.pid})
        source = made(sent(tmp_path / "sent", raw.packets(header, raw.thread(0), raw.folded(0, 0, [1, 1]))))
        ending = source.follow(lambda _: None, lambda: None)
        sleeper.kill()
    assert ending.notes == (
        "the program ended, but processes it started still run, and are followed no more: server",
    )


# ---------------------------------------------------------------- odd streams


def lengths(intervals: Iterator[Counted]) -> list[tuple[int, int, int]]:
    return [(one.pid, one.start, one.length) for one in intervals]


def image(*records: bytes, pid: int = 7, origin: str = "start", begun: int = 1) -> bytes:
    header = raw.header(**{**HEADER, "pid": pid, "origin": origin})
    return raw.packets(header, raw.thread(0), *records, pid=pid, begun=begun)


WHOLE = (
    image(raw.module(0, "/opt/x", 0x100), raw.folded(0, 0, [6, 4], [(0, 16, 6), (0, 32, 4)], times=(5, 2)))
    + image(raw.folded(0, 0, [3, 0], kind="Q"), pid=8, origin="fork", begun=2)
    + raw.packets(raw.folded(0, 10, [2**24 + 5, 9], kind="A"), raw.end(1), pid=7, begins=False)
    + raw.packets(raw.folded(0, 0, [4, 6]), raw.folded(0, 10, [0, 1], kind="Q"), pid=8, begun=2, begins=False)
    + image(raw.folded(0, 0, [0, 5]), raw.thread_end(0, 5), raw.end(5), pid=8, origin="exec", begun=3)
)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, len(WHOLE)), max_size=6))
def test_it_does_not_matter_how_pieces_are_cut(cuts: list[int]) -> None:
    intervals, found = Intervals(), []
    at = [0, *sorted(cuts), len(WHOLE)]
    for begin, end in pairwise(at):
        found += lengths(intervals.feed(WHOLE[begin:end]))
    assert found == [(7, 0, 10), (7, 10, 2**24 + 14), (8, 0, 10), (8, 10, 1), (8, 0, 5)]
    assert (intervals.processes, intervals.threads, intervals.pid) == (2, 2, 7)
    assert [*intervals.rest()] == []


def test_what_was_not_complete_counts_where_nothing_takes_its_place() -> None:
    intervals = Intervals()
    killed = image(raw.folded(0, 0, [9, 1]), raw.folded(0, 10, [1, 1], kind="Q"), pid=9, begun=4)
    ended = image(
        raw.folded(0, 0, [1, 1], kind="Q"), raw.folded(0, 0, [1, 2]), raw.thread_end(0, 3), raw.end(3)
    )
    assert lengths(intervals.feed(killed + ended)) == [(9, 0, 10), (7, 0, 3)]
    assert lengths(intervals.rest()) == [(9, 10, 2)]


def test_code_is_named_by_its_file_and_place() -> None:
    (one,) = Intervals().feed(
        image(raw.module(0, "/opt/x", 0x1000), raw.folded(0, 0, [6, 4], [(0, 0x10, 6), (0, 0x20, 4)]))
    )
    assert {(code.module, code.offset): n for code, n in one.codes.items()} == {("/opt/x", 0x1000): 10}


def test_what_is_held_of_processes_that_were_killed_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "_IMAGES", 3)
    monkeypatch.setattr(counted, "_is_there", {10, 11}.__contains__)
    intervals = Intervals()
    for pid in range(10, 30):
        took = lengths(intervals.feed(image(raw.folded(0, 0, [1, 1], kind="Q"), pid=pid, begun=pid)))
        assert took == ([(pid - 1, 0, 2)] if pid > 12 else [])
    late = [raw.packets(raw.folded(0, 0, [1, 4]), pid=pid, begun=pid, begins=False) for pid in (11, 12)]
    assert lengths(intervals.feed(b"".join(late))) == [(11, 0, 5)], "12 is followed no more"
    assert lengths(intervals.rest()) == [(10, 0, 2), (29, 0, 2)]


BROKEN = {
    "a packet": (b"PMP2" + bytes(12), "byte 0: this is no packet"),
    "a length": (b"PMP1" + b"\1" * 12, "byte 0: this is no packet"),
    "a vector's stream": (raw.packets(b"PMRAW001", begins=False), "does not begin as a live stream"),
    "no header": (raw.packets(raw.thread(0)), "process 100 did not say what it is"),
    "a header of vectors": (raw.packets(raw.header()), "its header lacks a key"),
    "another number of counters": (image(raw.folded(0, 0, [1, 2, 3])), "another number of counters"),
    "no counters": (image(raw.record("A", raw.varints(0, 0))), "ends before its numbers do"),
    "a cut number": (image(raw.record("A", b"\x80")), "a number is cut off"),
    "a huge number": (image(raw.record("T", raw.varints(2**63))), "too large to be true"),
    "a wrong sum": (
        image(raw.record("A", raw.varints(0, 0, 4, 0, 0, 1, 2, 0))), "of 4 instructions sum to 3"
    ),
    "a huge record": (image(b"A\xff\xff\xff\xff"), "a record of 4,294,967,295 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_said(what: str) -> None:
    data, said = BROKEN[what]
    with pytest.raises(DataError, match=said):
        [*Intervals().feed(data)]


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_no_change_of_a_byte_crashes_it(at: int, change: int) -> None:
    bent = WHOLE[:at] + bytes([WHOLE[at] ^ change]) + WHOLE[at + 1 :]
    intervals = Intervals()
    try:
        [*intervals.feed(bent), *intervals.rest()]
    except DataError as error:
        assert error.reason


# ---------------------------------------------------------------- what makes no sense


@pytest.mark.parametrize(
    ("changes", "counters", "said"),
    [
        ({"collector": "exp-bbv"}, 32, "'exp-bbv' follows no program while it runs"),
        ({"pid": 5, "command": ()}, 32, "cannot follow one that runs already"),
        ({"command": ()}, 32, "there is no program"),
        ({"signature": "function"}, 32, "counts blocks"),
        ({"interval": 0}, 32, "an interval of 0"),
        ({}, None, "folds code into a number of counters"),
    ],
)
def test_what_cannot_be_followed_is_said_before(
    changes: dict[str, object], counters: int | None, said: str
) -> None:
    wanted = Wanted(**{"command": ("true",), "collector": "valgrind", **changes})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=said):
        feed(wanted, counters, 1)
