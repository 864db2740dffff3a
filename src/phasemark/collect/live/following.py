"""A program that is started, or one that runs, followed to its end: its intervals one at a time."""

from __future__ import annotations

import os
import platform
import select
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from phasemark.collect import running
from phasemark.collect.engines import perf, preflight
from phasemark.collect.live.cutting import Cutter, Stretch
from phasemark.collect.live.feed import EVERY, PERF, Ending, Tick, Wanted
from phasemark.collect.live.places import Places
from phasemark.collect.live.streamed import Streamed
from phasemark.errors import CollectorError, MissingTool, UsageError
from phasemark.formats.perf import data
from phasemark.formats.perf.lines import Lost
from phasemark.formats.perf.piped import Batch
from phasemark.formats.perf.rounds import Told

#: Samples of an interval, unless told otherwise, and nanoseconds that it lasts at least.
SAMPLES, LASTING = 200, 15 * 10**7

#: Samples a second of a processor: half as many as of a profile, for what is watched may run for years.
_RATE = 500
_PERIOD = 10**9 // _RATE


@dataclass(frozen=True)
class Followed:
    """How it ended.

    Attributes:
        status: the command's exit status as a shell tells it; of a process that ran already 0, or 128 and the
            number of the signal that we were sent.
        failure: why its end was not seen: perf ended before; empty: it was.
        samples, lost: how many were taken, and how many perf says it lost.
        killed: whether perf did not end by itself, so that what it held is lost.
    """

    status: int
    failure: str
    samples: int
    lost: int
    killed: bool = False


@dataclass
class Source:
    """Intervals of a program that runs, by samples of perf; see Feed.

    Attributes:
        wanted: what is followed.
        unit: `nanoseconds` on a processor, or `instructions`.
        event: that is sampled.
        period: units that a sample stands for; 0: as each says.
        samples, lost: so far.
        pid: of the process; 0 until it runs.
    """

    collector: ClassVar[str] = PERF
    wanted: Wanted
    unit: str
    event: str
    period: int
    beside: Streamed
    places: Places
    cutter: Cutter
    samples: int = 0
    lost: int = 0
    pid: int = 0

    @property
    def note(self) -> str:
        """What the user should know of how much of the program is seen; empty: all is."""
        return self.beside.note

    @property
    def interval(self) -> int:
        """Least length of an interval, in the unit."""
        return self.cutter.length

    @property
    def seen(self) -> Mapping[str, int]:
        """Samples so far, and those that perf lost."""
        return {"samples": self.samples, "lost": self.lost}

    def follow(self, take: Callable[[Stretch], None], tick: Tick) -> Ending:
        """See Feed."""
        followed = follow(self.wanted, self, take, tick)
        return Ending(followed.status, _failure(followed), tuple(_notes(followed)))

    def start(self, pid: int) -> None:
        """See Beside."""
        self.pid = pid
        self.beside.start(pid)

    def stop(self) -> None:
        """See Beside."""
        self.beside.stop()

    def intervals(self, told: Iterator[Told]) -> Iterator[Stretch]:
        """Those that end with what perf tells."""
        for one in told:
            match one:
                case Batch():
                    self.samples += len(one)
                    yield from self.cutter.take(one, *self.places.codes(one))
                case Lost():
                    self.lost += one.count
                case _:
                    self.places.take(one)


def source(wanted: Wanted) -> Source:
    """What is needed to follow a program, before anything is started.

    Raises:
        UsageError: neither command nor pid, or both; an interval shorter than a sample; no such signature.
        CollectorError: perf may not sample here, or the command or process cannot be followed; says why.
        MissingTool: perf is not on this machine.
    """
    if bool(wanted.command) == (wanted.pid is not None):
        raise UsageError(
            "either a command or a process is followed",
            hint="phasemark track --live -- PROGRAM ARGUMENTS, or phasemark track --live --pid PID",
        )
    places = Places(wanted.signature or "function")
    if wanted.pid is not None:
        require_ours(wanted.pid)
    tool, sampling = _sampling(wanted)
    if wanted.command:
        perf.hold_file()
        machines = (perf.MACHINES.get(platform.machine(), 0),)
        preflight.check(wanted.command[0], cwd=wanted.cwd, machines=machines)
    counters = sampling is perf.COUNTERS
    # By rate: a million instructions take a quarter of a millisecond or ten, and what that costs with it.
    often = ["-F", str(_RATE)] if counters else ["-c", str(_PERIOD)]
    least = sampling.period if counters else _PERIOD
    if wanted.interval is not None and wanted.interval < least:
        raise UsageError(
            f"intervals of {wanted.interval:,} {sampling.unit} are shorter than what a sample stands for "
            f"({least:,})",
            hint=f"choose --interval {SAMPLES * least:,} or more",
        )
    cutter = Cutter(wanted.interval or SAMPLES * least, 0 if wanted.interval else LASTING)
    event = sampling.events[0]
    beside = Streamed(tool, ["-e", event, *often])
    return Source(wanted, sampling.unit, event, 0 if counters else least, beside, places, cutter)


def _sampling(wanted: Wanted) -> tuple[str, perf.Sampling]:
    """perf, and what it may sample here; where it may not, what else follows a program is said.

    Raises:
        CollectorError, MissingTool: it may not, or is not there.
    """
    try:
        tool = data.find()
        return tool, perf.probed(tool)
    except (CollectorError, MissingTool) as error:
        if wanted.command:
            error.hint = f"{error.hint}; or follow it more slowly, without perf: --collector valgrind"
        raise


def follow(wanted: Wanted, source: Source, take: Callable[[Stretch], None], tick: Tick) -> Followed:
    """Follow a program to its end.

    The command is ours, with our standard output, error and process group; signals are passed on to it, as
    `running.run` does. A process that runs already is left as it is: who interrupts us ends the watching.

    Raises:
        CollectorError: perf cannot be attached, or the command cannot be executed.
    """

    def look() -> None:
        for interval in source.intervals(source.beside.read()):
            take(interval)
        tick()

    try:
        if wanted.pid is None:
            status = _command(wanted, source, look)
        else:
            status = _process(wanted.pid, source, look)
    finally:
        failure = source.beside.failure
        for interval in source.intervals(source.beside.rest()):
            take(interval)
    return Followed(status, failure, source.samples, source.lost, source.beside.killed)


def _failure(followed: Followed) -> str:
    if followed.failure:
        return f"perf ended before the program did, and tracking with it: {followed.failure}"
    if followed.samples:
        return ""
    return (
        "no sample was taken: none of its threads was on a processor for two milliseconds, or never in its "
        "own code"
    )


def _notes(followed: Followed) -> Iterator[str]:
    if followed.killed:
        yield "perf did not end when it was told to, and was killed: the last samples are lost"
    if followed.lost:
        yield f"perf lost {followed.lost:,} samples: intervals in which it did are longer"


def require_ours(pid: int) -> None:
    """See that a process is there, and may be sampled.

    Raises:
        UsageError: no process has such a number.
        CollectorError: it has ended, or is another user's.
    """
    if pid <= 0:
        raise UsageError(f"{pid} is no process", hint="give its number, as `pgrep NAME` prints it")
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise CollectorError(
            f"there is no process {pid}", hint="`pgrep NAME` prints the numbers of those that run"
        ) from None
    facts = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    name, leader = facts.get("Name", "").strip(), int(facts.get("Tgid", str(pid)))
    if leader != pid:
        raise UsageError(f"{pid} is a thread of process {leader}", hint=f"follow it whole: --pid {leader}")
    if facts.get("State", "").strip().startswith(("Z", "X")):
        raise CollectorError(f"process {pid} ({name}) has ended", hint="its parent has not yet taken note")
    if "VmSize" not in facts:
        raise CollectorError(f"process {pid} ({name}) is the kernel's", hint="programs can be followed")
    owner = int(facts.get("Uid", "0").split()[0])
    if os.geteuid() not in (0, owner):
        raise CollectorError(
            f"process {pid} ({name}) is not yours, but that of user {owner}",
            hint="follow it as that user, or as root: sudo",
        )


def _command(wanted: Wanted, source: Source, look: Tick) -> int:
    command = [str(perf.hold_file()), *wanted.command]
    ended = running.run(
        command, cwd=wanted.cwd, stdin=wanted.stdin, tick=_silent(look), every=EVERY, beside=source
    )
    return ended.status


def _silent(look: Tick) -> running.Tick:
    def tick() -> None:
        look()

    return tick


def _process(pid: int, source: Source, look: Tick) -> int:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        raise CollectorError(f"process {pid} has just ended") from None
    try:
        with _asked_to_end() as asked:
            source.start(pid)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            while not poll.poll(EVERY * 1000) and not asked:
                look()
        return 128 + asked[0] if asked else 0
    finally:
        os.close(handle)


@contextmanager
def _asked_to_end() -> Iterator[list[int]]:
    """The signals that ask us to end, as they come; in another thread than the main one, none."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    numbers = [
        number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    ]  # fmt: skip
    before = {number: signal.signal(number, lambda n, _: asked.append(n)) for number in numbers}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
