"""The live stream of a program, taken apart while it comes; docs/raw-stream.md defines it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

import phasemark._core as core
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.framing import LIVE, PACKET, RECORD, text
from phasemark.errors import DataError

#: Tells process images apart: the process, and when the image began.
Sender = tuple[int, int]

_HEAD = struct.Struct("<4sIII")
_MOST_CARRIED = 4096 - _HEAD.size

#: No record is longer: an environment's words are no part of it, and a command's are at most a few MiB.
_MOST_BYTES = 1 << 26

_LARGEST = 2**62


@dataclass(frozen=True)
class Begun:
    """A process image begins.

    Attributes:
        pid: of the process.
        origin: `start`, `fork` or `exec`.
        time: nanoseconds since 1970.
        words: the program and its arguments.
        counters: of each interval.
    """

    pid: int
    origin: str
    time: int
    words: tuple[str, ...]
    counters: int


@dataclass(frozen=True)
class Mapped:
    """A range of memory that code is executed from.

    Attributes:
        number: its id.
        start, length: where.
        offset: of the start in its file.
        name: of the file, or `[vdso]`; empty: code in no file.
    """

    number: int
    start: int
    length: int
    offset: int
    name: str


@dataclass(frozen=True)
class ThreadBegun:
    """A thread begins; its serial."""

    thread: int


@dataclass(frozen=True)
class ThreadEnded:
    """A thread ended; its serial."""

    thread: int


@dataclass(frozen=True, eq=False)
class Folded:
    """An interval of a thread.

    Attributes:
        thread: serial.
        start, length: in instructions of the thread.
        began, lasted: milliseconds from the image's beginning, and from the interval's.
        counters: instructions of each.
        heaviest: module, offset in it and instructions of its heaviest blocks.
        complete: False: what there is of it so far; a later one of the same thread takes its place.
    """

    thread: int
    start: int
    length: int
    began: int
    lasted: int
    counters: Ints
    heaviest: list[tuple[int, int, int]]
    complete: bool


@dataclass(frozen=True)
class Ended:
    """The process ended by itself."""


@dataclass(frozen=True)
class Warned:
    """A sentence for the user."""

    sentence: str


Told = Begun | Mapped | ThreadBegun | ThreadEnded | Folded | Ended | Warned


class LiveStream:
    """Takes what comes through the pipe, in pieces that are cut anywhere.

    Holds what is not complete of a packet, and of a record of each image.
    """

    def __init__(self) -> None:
        self._left = b""
        self._at = 0  # bytes before those left
        self._images: dict[Sender, _Image] = {}
        self._some_go_on = False

    def feed(self, piece: bytes) -> Iterator[tuple[Sender, Told]]:
        """What a piece completes.

        Raises:
            DataError: it is no such stream; says at which byte.
        """
        data = self._left + piece
        at = 0
        while at + _HEAD.size <= len(data):
            magic, pid, begun, size = _HEAD.unpack_from(data, at)
            if magic != PACKET or not 0 < size <= _MOST_CARRIED:
                self._left = b""
                _fail(f"byte {self._at + at}: this is no packet of a live stream")
            end = at + _HEAD.size + size
            if end > len(data):
                break
            sender, carried = (pid, begun), data[at + _HEAD.size : end]
            at = end
            if sender not in self._images:
                if self._some_go_on and not carried.startswith(LIVE):
                    continue
                self._images[sender] = _Image(pid)
            for told in self._images[sender].feed(carried):
                yield sender, told
        self._left = data[at:]
        self._at += at

    def forget(self, sender: Sender, *, may_go_on: bool = False) -> None:
        """No more comes of an image, or is wanted if it may go on."""
        self._images.pop(sender, None)
        self._some_go_on |= may_go_on


class _Image:
    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._left = b""
        self._begun = False
        self._counters = 0

    def feed(self, piece: bytes) -> Iterator[Told]:
        data = self._left + piece
        at = 0
        if not self._begun:
            if len(data) < len(LIVE):
                self._left = data
                return
            if not data.startswith(LIVE):
                self._fail("it does not begin as a live stream does")
            self._begun, at = True, len(LIVE)
        while at + RECORD.size <= len(data):
            kind, length = RECORD.unpack_from(data, at)
            if length > _MOST_BYTES:
                self._fail(f"a record of {length:,} bytes")
            end = at + RECORD.size + length
            if end > len(data):
                break
            if take := _KINDS.get(chr(kind)):
                yield take(self, data[at + RECORD.size : end])
            at = end
        self._left = data[at:]

    def header(self, payload: bytes) -> Begun:
        values: dict[str, list[str]] = {}
        for pair in payload.split(b"\0")[:-1]:
            key, _, value = text(pair).partition("=")
            values.setdefault(key, []).append(value)
        try:
            counters = int(values["counters"][0]) if values["live"] == ["1"] else 0
            found = Begun(
                int(values["pid"][0]),
                values["origin"][0],
                int(values["time_ns"][0]),
                tuple(values.get("arg", ())),
                counters,
            )
        except (KeyError, ValueError) as error:
            self._fail(f"its header lacks a key or holds no number ({error})")
        self._counters = counters
        return found

    def module(self, payload: bytes) -> Mapped:
        numbers, at = self._numbers(payload, 6)
        number, start, length, offset, _, size = numbers
        return Mapped(number, start, length, offset, text(payload[at : at + size]))

    def begun(self, payload: bytes) -> ThreadBegun:
        return ThreadBegun(self._numbers(payload, 1)[0][0])

    def thread_ended(self, payload: bytes) -> ThreadEnded:
        return ThreadEnded(self._numbers(payload, 1)[0][0])

    def complete(self, payload: bytes) -> Folded:
        return self._folded(payload, complete=True)

    def so_far(self, payload: bytes) -> Folded:
        return self._folded(payload, complete=False)

    def ended(self, payload: bytes) -> Ended:
        return Ended()

    def warned(self, payload: bytes) -> Warned:
        (size,), at = self._numbers(payload, 1)
        return Warned(text(payload[at : at + size]))

    def _folded(self, payload: bytes, *, complete: bool) -> Folded:
        values = self._all(payload)
        fixed = 5 + self._counters
        thread, start, length, began, lasted = values[:5].tolist()
        counters = values[5:fixed]
        if not self._counters or len(values) <= fixed or len(values) != fixed + 1 + 3 * int(values[fixed]):
            self._fail("an interval of another number of counters than its header says")
        if int(counters.sum()) != length:
            self._fail(f"the counters of an interval of {length:,} instructions sum to {counters.sum():,}")
        rest = values[fixed + 1 :].tolist()
        heaviest = list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
        return Folded(thread, start, length, began, lasted, counters, heaviest, complete)

    def _all(self, payload: bytes) -> Ints:
        values = self._decoded(payload, 0)[0]
        if len(values) < 5:
            self._fail("a record ends before its numbers do")
        return values

    def _numbers(self, payload: bytes, count: int) -> tuple[list[int], int]:
        values, stop = self._decoded(payload, count)
        if len(values) != count:
            self._fail("a record ends before its numbers do")
        return values.tolist(), stop

    def _decoded(self, payload: bytes, most: int) -> tuple[Ints, int]:
        begin, end = np.zeros(1, np.int64), np.array([len(payload)])
        values, _, stop, bad = core.decode_varints(np.frombuffer(payload, np.uint8), begin, end, most)
        numbers = values.view(np.int64)
        if bad >= 0 or (numbers < 0).any() or (numbers > _LARGEST).any():
            self._fail("a number is cut off, or too large to be true")
        return numbers, int(stop[0])

    def _fail(self, message: str) -> NoReturn:
        _fail(f"of process {self._pid}: {message}")


_KINDS: dict[str, Callable[[_Image, bytes], Told]] = {
    "H": _Image.header,
    "M": _Image.module,
    "T": _Image.begun,
    "E": _Image.thread_ended,
    "A": _Image.complete,
    "Q": _Image.so_far,
    "S": _Image.ended,
    "W": _Image.warned,
}


def _fail(message: str) -> NoReturn:
    raise DataError(message, hint="track the program again")
