"""The records of a raw stream and their fields, whatever they mean."""

from __future__ import annotations

import os
import stat
import struct
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.collect.stream.contents import Ints
from phasemark.errors import DataError

MAGIC = b"PMRAW001"

#: How a packet of a live stream begins, and what packets carry.
PACKET, LIVE = b"PMP1", b"PMLIVE01"

#: Kind, and bytes of the payload.
RECORD = struct.Struct("<BI")

LARGEST_COUNT = 2**62

#: So much is read at a time, where no record is longer; and so much that is not asked for, rather than twice.
_WINDOW = 1 << 24
_HEADS = 1 << 20
_GAP = 1 << 14

#: Bytes of the longest number.
_LONGEST = 10

_NO_BYTES, _NO_INTS = np.empty(0, np.uint8), np.empty(0, np.int64)


class Frames:
    """Where the records of one file lie, found by one pass over their heads.

    The file is read, not mapped: one that becomes shorter is an error, where a mapping would be a fault. It
    may grow; what was there when it was opened is read.

    Attributes:
        path: the file.
        truncated: whether the last record was cut short.

    Raises:
        DataError: not such a file, or malformed (here and in each method); names file and byte.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            weakref.finalize(self, os.close, self._file)
            status = os.fstat(self._file)
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror})", path=path) from error
        if not stat.S_ISREG(status.st_mode):
            raise DataError("is no regular file", path=path, hint="name a raw stream of phasemark")
        self._size = status.st_size
        self._index()

    def where(self, *kinds: str) -> tuple[Ints, Ints]:
        """Begin and end of the payloads of some kinds, in the order of the file."""
        chosen = np.isin(self._kind, [ord(kind) for kind in kinds])
        return self._begin[chosen], self._end[chosen]

    def spans(self, kind: str) -> list[tuple[int, int]]:
        """The same of one kind, payload by payload."""
        begin, end = self.where(kind)
        return list(zip(begin.tolist(), end.tolist(), strict=True))

    def fail(self, at: int, message: str, hint: str = "profile the run again") -> NoReturn:
        """Raise a DataError that names the file and a byte of it."""
        raise DataError(f"byte {at}: {message}", path=self.path, hint=hint)

    def fields(self, kind: str) -> list[str]:
        """Texts that end in a zero byte: those of the first record of a kind; none without one."""
        spans = self.spans(kind)
        return [text(raw) for raw in self.read(*spans[0]).split(b"\0")[:-1]] if spans else []

    def varints(self, begin: Ints, end: Ints, most: int = 0) -> tuple[Ints, Ints, Ints]:
        """Numbers of the payloads, where each payload's start in them, and where reading stopped."""
        if most:
            end = np.minimum(end, begin + _LONGEST * most)
        parts: list[Ints] = []
        first, stop = np.zeros(len(begin) + 1, np.int64), np.zeros(len(begin), np.int64)
        for rows, at, data in self._windows(begin, end):
            values, firsts, stops, bad = core.decode_varints(data, begin[rows] - at, end[rows] - at, most)
            if bad >= 0:
                self.fail(at + bad, "a number is cut off or above 64 bits")
            parts.append(values.view(np.int64))
            first[rows.start + 1 : rows.stop + 1] = first[rows.start] + firsts[1:]
            stop[rows] = stops + at
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int64), *parts]), first, stop

    def bytes_at(self, position: Ints) -> NDArray[np.uint8]:
        """The bytes at some positions."""
        found = np.empty(len(position), np.uint8)
        for rows, at, data in self._windows(position, position + 1):
            found[rows] = data[position[rows] - at]
        return found

    def gathered(self, begin: Ints, end: Ints) -> tuple[NDArray[np.uint8], Ints, Ints]:
        """The bytes of payloads, and where each lies in them."""
        parts, shift, size = [_NO_BYTES], np.empty(len(begin), np.int64), 0
        for rows, at, data in self._windows(begin, end):
            parts.append(data)
            shift[rows] = size - at
            size += len(data)
        return parts[1] if len(parts) == 2 else np.concatenate(parts), begin + shift, end + shift

    def _windows(self, begin: Ints, end: Ints) -> Iterator[tuple[slice, int, NDArray[np.uint8]]]:
        """Stretches of the file that hold [begin, end) of rows: which rows, position and bytes.

        Rows that lie in the order of the file, and not far apart, are read together.
        """
        apart = (begin[1:] < begin[:-1]) | (begin[1:] - end[:-1] > _GAP)
        at = 0
        for cut in [*(np.flatnonzero(apart) + 1).tolist(), len(begin)]:
            while at < cut:
                start = int(begin[at])
                many = int(np.searchsorted(end[at:cut], start + _WINDOW, side="right"))
                stop = at + max(many, 1)
                yield slice(at, stop), start, np.frombuffer(self.read(start, int(end[stop - 1])), np.uint8)
                at = stop

    def read(self, begin: int, end: int) -> bytes:
        """The bytes of a stretch of the file."""
        parts = []
        try:
            while begin < end and (part := os.pread(self._file, end - begin, begin)):
                parts.append(part)
                begin += len(part)
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror})", path=self.path) from error
        if begin < end:
            self.fail(begin, "the file has become shorter while it was read", "keep it as it was recorded")
        return b"".join(parts)

    def columns(self, begin: Ints, end: Ints, count: int) -> tuple[Ints, Ints]:
        """The first `count` numbers of each payload as columns, and where reading stopped."""
        values, first, stop = self.varints(begin, end, count)
        short = np.diff(first) != count
        if short.any():
            self.fail(int(begin[np.argmax(short)]), f"the record ends before its {count} numbers")
        table = values.reshape(-1, count)
        large = (table < 0) | (table > LARGEST_COUNT)
        if large.any():
            self.fail(int(begin[np.argmax(large.any(axis=1))]), "a number is too large to be true")
        return np.ascontiguousarray(table.T), stop

    def sound(self, begin: Ints, end: Ints, count: int) -> int:
        """How many payloads, from the first on, hold `count` numbers that may be true."""
        low, high = 0, len(begin)
        middle = high
        while low < high:
            try:
                self.columns(begin[:middle], end[:middle], count)
                low = middle
            except DataError:
                high = middle - 1
            middle = (low + high + 1) // 2
        return low

    def tuples(self, kind: str, count: int) -> list[list[int]]:
        """The first `count` numbers of each record of a kind."""
        columns, _ = self.columns(*self.where(kind), count)
        return columns.T.tolist()  # type: ignore[no-any-return]

    def string(self, begin: int, end: int) -> tuple[str, int]:
        """A text that begins with its length, and where it ends."""
        (length,), (stop,) = self.columns(np.array([begin]), np.array([end]), 1)
        after = int(stop) + int(length[0])
        if after > end:
            self.fail(begin, "a text is longer than its record")
        return text(self.read(int(stop), after)), after

    def _index(self) -> None:
        magic = self.read(0, min(len(MAGIC), self._size))
        if magic.startswith((PACKET, LIVE)):
            self.fail(
                0, "a live stream, which holds no vectors", "it is for who follows a program while it runs"
            )
        if magic != MAGIC:
            self.fail(0, f"does not start with {MAGIC.decode()}", "this is no raw stream of phasemark")
        kinds: list[NDArray[np.uint8]] = [_NO_BYTES]
        begins: list[Ints] = [_NO_INTS]
        ends: list[Ints] = [_NO_INTS]
        at = len(MAGIC)
        while at + RECORD.size <= self._size:
            piece = np.frombuffer(self.read(at, min(at + _HEADS, self._size)), np.uint8)
            kind, begin, end, after = core.find_records(piece, 0)
            kinds.append(kind)
            begins.append(begin + at)
            ends.append(end + at)
            at += after
        self.truncated = at != self._size
        whole = sum(map(len, kinds)) - int(at > self._size)  # the last one may be cut short
        self._kind = np.concatenate(kinds)[:whole]
        self._begin, self._end = np.concatenate(begins)[:whole], np.concatenate(ends)[:whole]


def count_within(sizes: Ints) -> Ints:
    """0, 1 ... size - 1 for every size."""
    ends = np.cumsum(sizes)
    number: Ints = np.arange(ends[-1] if len(ends) else 0)
    return number - np.repeat(ends - sizes, sizes)


def text(raw: bytes) -> str:
    """What need not be UTF-8, such as names of files."""
    return raw.decode("utf-8", "surrogateescape")
