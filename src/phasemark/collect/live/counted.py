"""A program that a collector runs, followed to its end: each interval's instructions, folded into counters.

What it sends through a pipe is read at once, so that an interval is known when it ends; who sends waits for
who reads. All processes of the program send to the same pipe.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fcntl import F_SETPIPE_SZ, fcntl
from pathlib import Path

import numpy as np

from phasemark.collect import running
from phasemark.collect.engines.protocol import Collector, Fold, Job
from phasemark.collect.live.feed import EVERY, Ending, Take, Tick, Wanted
from phasemark.collect.live.places import Code, Places
from phasemark.collect.stream import live
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.live import Folded, LiveStream, Sender
from phasemark.errors import DataError
from phasemark.formats.perf.lines import Mapping as Mapped
from phasemark.formats.perf.lines import Name
from phasemark.formats.perf.piped import Batch

#: Instructions of an interval, unless told otherwise: as in the papers of this hardware.
INTERVAL = 10_000_000

#: The pipe, in the collector's folder; what it holds while nobody reads, bytes; and what is read at a time:
#: room for more takes longer to get than to fill.
_PIPE, _HOLDS, _PIECE = "live", 1 << 20, 1 << 16

_MILLI = 10**6

#: Images whose end was not seen, and places of code that are known of one.
_IMAGES, _CODES = 4096, 65_536

#: Programs that are named.
_NAMES = 5


@dataclass(eq=False, slots=True)
class Counted:
    """An interval of a thread.

    Attributes:
        began, ended: nanoseconds since 1970; none begins before the one told before it ended.
        pid, thread: of which process, and the serial of its thread.
        start, length: in instructions of the thread.
        counters: instructions of each.
        codes: how many its heaviest code has; what is light in each interval is not there.
    """

    began: int
    ended: int
    pid: int
    thread: int
    start: int
    length: int
    counters: Ints
    codes: dict[Code, int]


@dataclass
class _Image:
    """A process image that may go on.

    Attributes:
        begun: what it said of itself.
        modules: start of each, by id.
        keys: of the code at places that were asked for, by module and offset in it.
        codes: by key.
        open: of each thread what there is of its last interval.
    """

    begun: live.Begun
    modules: dict[int, int] = field(default_factory=dict)
    keys: dict[tuple[int, int], int] = field(default_factory=dict)
    codes: dict[int, Code] = field(default_factory=dict)
    open: dict[int, Folded] = field(default_factory=dict)


class Intervals:
    """What comes through the pipe -> intervals.

    Attributes:
        processes, threads: that began.
        pid: of the program; 0: it did not begin yet.
        warnings: what its collector told, one sentence each.
    """

    def __init__(self) -> None:
        self._stream = LiveStream()
        self._images: dict[Sender, _Image] = {}
        self._places = Places()
        self._ended = 0
        self.processes = self.threads = self.pid = 0
        self.warnings: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Counted]:
        """Those that a piece of the stream completes.

        Raises:
            DataError: it is broken.
        """
        for sender, told in self._stream.feed(piece):
            if isinstance(told, Folded):
                yield from self._take(self._known(sender), told)
            elif isinstance(told, live.Begun):
                yield from self._begin(sender, told)
            elif isinstance(told, live.Ended):
                yield from self._end(sender)
            else:
                self._note(self._known(sender), told)

    def rest(self) -> Iterator[Counted]:
        """What there is of intervals that did not end: of processes that were killed, or go on."""
        for sender in [*self._images]:
            yield from self._end(sender)

    def going_on(self) -> list[str]:
        """The programs of processes that have not ended."""
        found = [image.begun.words[:1] for image in self._images.values() if _is_there(image.begun.pid)]
        return sorted({Path(*words).name for words in found if words})

    def _known(self, sender: Sender) -> _Image:
        if sender not in self._images:
            raise DataError(f"process {sender[0]} did not say what it is", hint="track the program again")
        return self._images[sender]

    def _begin(self, sender: Sender, begun: live.Begun) -> Iterator[Counted]:
        if begun.origin == "exec":  # of the program before it no more comes
            for other in [one for one, image in self._images.items() if image.begun.pid == begun.pid]:
                yield from self._end(other)
        else:
            self.processes += 1
        if begun.origin == "start":
            self.pid = begun.pid
        self._places.take(Name(True, b"", begun.pid, begun.pid))
        self._images[sender] = _Image(begun)
        if len(self._images) > _IMAGES:
            yield from self._end(next(iter(self._images)))

    def _note(self, image: _Image, told: live.Told) -> None:
        match told:
            case live.Mapped():
                image.modules[told.number] = told.start
                name = told.name.encode("utf-8", "surrogateescape")
                pid = image.begun.pid
                self._places.take(Mapped(pid, told.start, told.length, told.offset, name, "", True))
            case live.ThreadBegun():
                # The one that executed another program is no new one.
                self.threads += told.thread > 0 or image.begun.origin != "exec"
            case live.ThreadEnded():
                image.open.pop(told.thread, None)
            case live.Warned():
                self.warnings.append(told.sentence)

    def _take(self, image: _Image, told: Folded) -> Iterator[Counted]:
        if not told.complete:
            image.open[told.thread] = told
            return
        image.open.pop(told.thread, None)
        yield self._counted(image, told)

    def _end(self, sender: Sender) -> Iterator[Counted]:
        image = self._images.pop(sender)
        self._stream.forget(sender)
        for thread in sorted(image.open):
            yield self._counted(image, image.open[thread])

    def _counted(self, image: _Image, told: Folded) -> Counted:
        began = max(image.begun.time + told.began * _MILLI, self._ended)
        self._ended = max(image.begun.time + (told.began + told.lasted) * _MILLI, began)
        codes = self._codes(image, told)
        of = (image.begun.pid, told.thread, told.start, told.length)
        return Counted(began, self._ended, *of, told.counters, codes)

    def _codes(self, image: _Image, told: Folded) -> dict[Code, int]:
        known = image.keys
        new = [(module, at) for module, at, _ in told.heaviest if (module, at) not in known]
        if new:
            if len(known) + len(new) > _CODES:
                known.clear()
                image.codes.clear()
                new = [(module, at) for module, at, _ in told.heaviest]
            for (module, at), code in zip(new, self._look_up(image, new), strict=True):
                known[module, at] = code.key
                image.codes[code.key] = code
        sums: dict[int, int] = {}  # by key: to hash a Code takes long
        for module, at, instructions in told.heaviest:
            key = known[module, at]
            sums[key] = sums.get(key, 0) + instructions
        return {image.codes[key]: instructions for key, instructions in sums.items()}

    def _look_up(self, image: _Image, places: list[tuple[int, int]]) -> Iterator[Code]:
        n = len(places)
        ip = np.array([image.modules.get(module, 0) + at for module, at in places], np.uint64)
        full = np.ones(n, np.int64)
        found, which = self._places.codes(Batch(full * image.begun.pid, ip, full * self._ended, full))
        return (found[row] for row in which.tolist())


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


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
