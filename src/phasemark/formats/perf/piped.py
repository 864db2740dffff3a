"""What `perf record -o -` writes, while it writes it -> samples, and records of mappings and tasks.

A header of 16 bytes, then records: a word of kind, half a word of flags, half a word of size, and what the
kind has (Linux, include/uapi/linux/perf_event.h; those that perf adds begin at 64). `HEADER_ATTR` says of
which parts samples consist. Kinds that say nothing of where a program is are passed over by their size.
Numbers are of the byte order of this machine, on which perf runs.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.formats.perf.lines import Lost, Mapping, Name, Task

#: How it begins; then the size of the header.
MAGIC = b"PERFILE2"

_RECORD = struct.Struct("=IHH")
_HEADER = struct.Struct("=8sQ")
_PAIR = struct.Struct("=II")
_FOUR = struct.Struct("=IIII")
_MAP = struct.Struct("=IIQQQ")
_LOST = struct.Struct("=QQ")
_ATTRIBUTES = struct.Struct("=IIQQQQQ")

_KIND_MMAP, _KIND_LOST, _KIND_COMM, _KIND_EXIT = 1, 2, 3, 4
_KIND_FORK, _KIND_SAMPLE, _KIND_MMAP2, _KIND_LOST_SAMPLES = 7, 9, 10, 13
_KIND_ATTRIBUTES, _KIND_TRACING, _KIND_ROUND = 64, 66, 68

#: Flags of a record: another program was executed; there is a build-id; it is of data.
_EXEC, _BUILD, _DATA = 1 << 13, 1 << 14, 1 << 13

#: Bit of perf_event_attr.sample_type -> the words of a sample, in their order; more than these say no more of
#: where it was.
_IP, _TID, _TIME, _PERIOD = 1 << 0, 1 << 1, 1 << 2, 1 << 8
_ORDER = (1 << 16, _IP, _TID, _TIME, 1 << 3, 1 << 6, 1 << 9, 1 << 7, _PERIOD)
_NEEDED = _IP | _TID | _TIME
_WANTED = (_IP, _TID, _TIME, _PERIOD)

#: Of those, which stand behind the time at a record's end.
_BEHIND = (1 << 6, 1 << 9, 1 << 7, 1 << 16)

#: Of perf_event_attr.flags: `sample_period` is samples a second; all records have a time.
_FREQUENCY, _ALL = 1 << 10, 1 << 18

_POSITIVE = 2**63 - 1

_PROTECTION_EXECUTE = 4


@dataclass(frozen=True, eq=False)
class Batch:
    """Samples in the order in which they came, with no record between them.

    Attributes:
        pid, ip, time, period: of each: its process, address, nanoseconds of perf's clock, and what it stands
            for in units of the event; int64, but addresses uint64. Samples in the kernel are there, too.
    """

    pid: NDArray[np.int64]
    ip: NDArray[np.uint64]
    time: NDArray[np.int64]
    period: NDArray[np.int64]

    COLUMNS: ClassVar[tuple[str, ...]] = ("pid", "ip", "time", "period")

    def __len__(self) -> int:
        return len(self.ip)

    def of(self, rows: NDArray[Any] | slice) -> Batch:
        """Some of them: a mask, a range, or an order."""
        return Batch(*(getattr(self, name)[rows] for name in self.COLUMNS))


@dataclass(frozen=True)
class At:
    """A record, and when it was: nanoseconds of perf's clock, 0 of what was there before perf began."""

    time: int
    record: Mapping | Task | Name | Lost


class Round:
    """perf has looked into the buffers of all processors once more."""


#: What comes out.
Piece = Batch | At | Round


class Piped:
    """Takes the stream apart, in pieces that are cut anywhere; holds no more than a record."""

    def __init__(self) -> None:
        self._left = b""
        self._at = 0  # bytes of the stream before those left
        self._begun = False
        self._words: dict[int, int] = {}  # a part of samples -> its word
        self._period = 1
        self._behind = 0  # words from a record's time to its end

    def feed(self, piece: bytes) -> Iterator[Piece]:
        """What a piece of the stream completes.

        Raises:
            DataError: it is no such stream; says at which byte.
        """
        data = self._left + piece
        at = 0
        if not self._begun:
            if len(data) < _HEADER.size:
                self._left = data
                return
            at = self._header(data)
        while at + _RECORD.size <= len(data):
            kind, flags, size = _RECORD.unpack_from(data, at)
            if size < _RECORD.size:
                raise self._fault(f"a record of {size} bytes", at)
            if at + size > len(data):
                break
            if kind == _KIND_SAMPLE:
                batch, at = self._samples(data, at, size)
                yield batch
                continue
            try:
                if kind == _KIND_TRACING:
                    raise self._fault("tracepoints were recorded", at)
                if kind == _KIND_ROUND:
                    yield Round()
                body = data[at + _RECORD.size : at + size]
                if (record := self._record(kind, flags, body)) is not None:
                    yield At(self._time(body), record)
            except (struct.error, ValueError) as error:
                if isinstance(error, DataError):
                    raise
                raise self._fault(f"a record of kind {kind} is cut", at) from error
            at += size
        self._left = data[at:]
        self._at += at

    def _header(self, data: bytes) -> int:
        magic, size = _HEADER.unpack_from(data)
        if magic != MAGIC or size != _HEADER.size:
            raise self._fault("it is not what perf record writes to a pipe", 0)
        self._begun = True
        return _HEADER.size

    def _samples(self, data: bytes, at: int, size: int) -> tuple[Batch, int]:
        """The samples of one size from here on, and where they end."""
        words = (size - _RECORD.size) // 8
        if not self._words or size % 8 or words <= max(self._words.values()):
            raise self._fault("a sample has other parts than were announced", at)
        rows = np.frombuffer(data, np.uint64, (len(data) - at) // size * (size // 8), at)
        rows = rows.reshape(-1, size // 8)
        heads = np.frombuffer(
            rows[:, 0].tobytes(), np.dtype([("kind", "u4"), ("flags", "u2"), ("size", "u2")])
        )
        other = (heads["kind"] != _KIND_SAMPLE) | (heads["size"] != size)
        n = int(np.argmax(other)) if other.any() else len(rows)
        rows = rows[:n]
        column = {part: rows[:, 1 + word] for part, word in self._words.items()}
        period = column.get(_PERIOD)
        return Batch(
            (column[_TID] & np.uint64(0xFFFFFFFF)).astype(np.int64),
            column[_IP].copy(),
            (column[_TIME] & np.uint64(_POSITIVE)).astype(np.int64),
            np.full(n, self._period) if period is None else np.minimum(period, 2**53).astype(np.int64),
        ), at + n * size

    def _time(self, body: bytes) -> int:
        """When a record was: its last words are some of a sample's."""
        if not self._behind or len(body) < 8 * self._behind:
            return 0
        return int.from_bytes(body[-8 * self._behind :][:8], sys.byteorder) & _POSITIVE

    def _record(self, kind: int, flags: int, body: bytes) -> Mapping | Task | Name | Lost | None:
        if kind in (_KIND_MMAP, _KIND_MMAP2):
            return _mapping(kind == _KIND_MMAP2, flags, body)
        if kind == _KIND_COMM:
            pid, tid = _PAIR.unpack_from(body)
            return Name(bool(flags & _EXEC), _text(body[_PAIR.size :]), pid, tid)
        if kind in (_KIND_FORK, _KIND_EXIT):
            pid, parent, tid, parent_tid = _FOUR.unpack_from(body)
            return Task(kind == _KIND_FORK, pid, tid, parent, parent_tid)
        if kind == _KIND_LOST:
            return Lost(_LOST.unpack_from(body)[1])
        if kind == _KIND_LOST_SAMPLES:
            return Lost(int.from_bytes(body[:8], sys.byteorder))
        if kind == _KIND_ATTRIBUTES and not self._words:
            self._parts(body)
        return None

    def _parts(self, body: bytes) -> None:
        """Of what samples consist: those of the first event; perf's others are never sampled."""
        _, _, _, period, sampled, _, flags = _ATTRIBUTES.unpack_from(body)
        if sampled & _NEEDED != _NEEDED:
            raise self._fault("samples have no address, thread or time", 0)
        there = [part for part in _ORDER if sampled & part]
        self._words = {part: word for word, part in enumerate(there) if part in _WANTED}
        self._period = 1 if flags & _FREQUENCY else max(period, 1)
        if flags & _ALL:
            self._behind = 1 + sum(bool(sampled & part) for part in _BEHIND)

    def _fault(self, what: str, at: int) -> DataError:
        return DataError(f"perf's stream cannot be read: {what} (byte {self._at + at:,})")


def _mapping(second: bool, flags: int, body: bytes) -> Mapping:
    pid, _, start, size, offset = _MAP.unpack_from(body)
    if not second:
        name = body[_MAP.size :]
        return Mapping(_signed(pid), start, size, offset, _text(name), "", not flags & _DATA)
    identity, rest = body[_MAP.size : _MAP.size + 24], body[_MAP.size + 24 :]
    build = identity[4 : 4 + min(identity[0], 20)].hex() if flags & _BUILD else ""
    protection, _ = _PAIR.unpack_from(rest)
    executable = bool(protection & _PROTECTION_EXECUTE)
    return Mapping(_signed(pid), start, size, offset, _text(rest[_PAIR.size :]), build, executable)


def _signed(pid: int) -> int:
    return pid - (1 << 32) if pid >> 31 else pid


def _text(padded: bytes) -> bytes:
    return padded.split(b"\0", 1)[0]
