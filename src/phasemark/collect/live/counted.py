"""What a collector sends of a program -> its intervals, each folded into counters, as they come."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from phasemark.collect.live.places import Code, Places
from phasemark.collect.stream import live
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.live import Folded, LiveStream, Sender
from phasemark.errors import DataError
from phasemark.formats.perf.lines import Mapping as Mapped
from phasemark.formats.perf.lines import Name
from phasemark.formats.perf.piped import Batch

_MILLI = 10**6

#: Images whose end was not seen; modules, and places of code, that are known of one.
_IMAGES, _MODULES, _CODES = 4096, 16_384, 65_536


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
            gone = (one for one, image in self._images.items() if not _is_there(image.begun.pid))
            yield from self._end(next(gone, next(iter(self._images))), may_go_on=True)

    def _note(self, image: _Image, told: live.Told) -> None:
        match told:
            case live.Mapped():
                image.modules[told.number] = told.start
                if len(image.modules) > _MODULES:
                    del image.modules[next(iter(image.modules))]
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

    def _end(self, sender: Sender, *, may_go_on: bool = False) -> Iterator[Counted]:
        image = self._images.pop(sender)
        self._stream.forget(sender, may_go_on=may_go_on)
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


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
