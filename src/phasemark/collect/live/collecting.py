"""A program that a collector runs, followed to its end by what the collector sends through a pipe.

What is sent is read at once, so that an interval is known when it ends; who sends waits for who reads. All
processes of the program send to the same pipe.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fcntl import F_SETPIPE_SZ, fcntl
from pathlib import Path

from phasemark.collect import running
from phasemark.collect.engines.protocol import Collector, Fold, Job
from phasemark.collect.live.counted import Intervals
from phasemark.collect.live.feed import EVERY, Ending, Take, Tick, Wanted
from phasemark.errors import DataError

#: Instructions of an interval, unless told otherwise: as in the papers of this hardware.
INTERVAL = 10_000_000

#: The pipe, in the collector's folder; what it holds while nobody reads, bytes; and what is read at a time:
#: room for more takes longer to get than to fill.
_PIPE, _HOLDS, _PIECE = "live", 1 << 20, 1 << 16

#: Programs that are named.
_NAMES = 5


class Pipe:
    """The pipe in a folder, read without waiting."""

    def __init__(self, folder: Path) -> None:
        path = folder / _PIPE
        os.mkfifo(path)
        path.chmod(0o622)  # who gives up rights is still to write
        self.number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        # Between two programs of a process nobody may write: that is no end.
        self._writes = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with suppress(OSError):  # a limit of the system's on what pipes hold
            fcntl(self.number, F_SETPIPE_SZ, _HOLDS)

    def read(self) -> bytes:
        """What is there; nothing once it is closed, too."""
        try:
            return os.read(self.number, _PIECE) if self.number >= 0 else b""
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Read no more: who writes goes on without."""
        for number in (self.number, self._writes):
            if number >= 0:
                os.close(number)
        self.number = self._writes = -1


class Source:
    """Intervals of a program that a collector runs; see Feed.

    Args:
        wanted: what is followed.
        collector: that runs it.
        fold: what its intervals are folded into.
    """

    unit = event = "instructions"
    note = ""

    def __init__(self, wanted: Wanted, collector: Collector, fold: Fold) -> None:
        self._wanted, self._collector = wanted, collector
        self.collector = collector.name
        self.interval = INTERVAL if wanted.interval is None else wanted.interval
        self._job = Job(wanted.command, self.interval, wanted.cwd, live=fold)
        self._intervals = Intervals()
        self._failure = ""
        collector.prepare(self._job, Path("/"))  # what is in the way is said before anything is started

    @property
    def pid(self) -> int:
        """Of the program; 0 until it runs."""
        return self._intervals.pid

    @property
    def seen(self) -> Mapping[str, int]:
        """Processes and threads that began."""
        return {"processes": self._intervals.processes, "threads": self._intervals.threads}

    def follow(self, take: Take, tick: Tick) -> Ending:
        """See Feed."""
        with tempfile.TemporaryDirectory(prefix="phasemark-live-") as folder:
            raw = Path(folder)
            pipe = Pipe(raw)
            try:
                return self._run(raw, pipe, take, tick)
            finally:
                pipe.close()

    def _run(self, raw: Path, pipe: Pipe, take: Take, tick: Tick) -> Ending:
        def look() -> bool:
            with _closed_by_faults(pipe):
                self._feed(pipe, pipe.read(), take)
            return pipe.number >= 0

        def ticking() -> None:
            with _closed_by_faults(pipe):
                tick()

        ended = running.execute(
            self._collector.prepare(self._job, raw),
            raw,
            ticking,
            stdin=self._wanted.stdin,
            every=EVERY,
            reading=running.Reading(pipe.number, look),
        )
        # What it held when the program ended; processes that go on may send for ever.
        left = _HOLDS
        while left > 0 and (piece := pipe.read()):
            left -= len(piece)
            self._feed(pipe, piece, take)
        going_on = self._intervals.going_on()
        pipe.close()
        for interval in self._intervals.rest():
            take(interval)
        return Ending(ended.status, self._why(raw), tuple(self._notes(raw, going_on)))

    def _feed(self, pipe: Pipe, piece: bytes, take: Take) -> None:
        try:
            for interval in self._intervals.feed(piece):
                take(interval)
        except DataError as error:
            self._failure = f"what the collector sent is broken, and tracking ended there: {error.reason}"
            pipe.close()

    def _why(self, raw: Path) -> str:
        if self._failure or self._intervals.processes:
            return self._failure
        said = self._collector.images(raw)[1]
        return "; ".join(["nothing came from the collector", *said])

    def _notes(self, raw: Path, going_on: list[str]) -> Iterator[str]:
        if going_on:
            more = f" and {len(going_on) - _NAMES:,} more" if len(going_on) > _NAMES else ""
            yield (
                "the program ended, but processes it started still run, and are followed no more: "
                f"{', '.join(going_on[:_NAMES])}{more}"
            )
        yield from dict.fromkeys(self._intervals.warnings)
        if self._intervals.processes:
            yield from self._collector.images(raw)[1]


@contextmanager
def _closed_by_faults(pipe: Pipe) -> Iterator[None]:
    """Where our own work fails, the program is not to wait for who reads."""
    try:
        yield
    except BaseException:
        pipe.close()
        raise
