"""The records of a raw stream and their fields, whatever they mean."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NoReturn

import numpy as np

import phasemark._core as core
from phasemark.collect.stream.contents import Ints
from phasemark.errors import DataError

MAGIC = b"PMRAW001"

#: Kind, and bytes of the payload.
RECORD = struct.Struct("<BI")

LARGEST_COUNT = 2**62


class Frames:
    """Where the records of one file lie, found by one pass over their heads.

    Attributes:
        path: the file.
        content: its bytes, as many as there were when it was opened.
        truncated: whether the last record was cut short.

    Raises:
        DataError: not such a file, or malformed (here and in each method); names file and byte.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = _mapped(path)
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
        return [text(raw) for raw in self.content[slice(*spans[0])].split(b"\0")[:-1]] if spans else []

    def varints(self, begin: Ints, end: Ints, most: int = 0) -> tuple[Ints, Ints, Ints]:
        """Numbers of the payloads, where each payload's start in them, and where reading stopped."""
        data = np.frombuffer(self.content, np.uint8)
        values, first, stop, bad = core.decode_varints(data, begin, end, most)
        if bad >= 0:
            self.fail(bad, "a number is cut off or above 64 bits")
        return values.astype(np.int64, copy=False), first, stop

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
        return text(self.content[int(stop) : after]), after

    def _index(self) -> None:
        if self.content[: len(MAGIC)] != MAGIC:
            self.fail(0, f"does not start with {MAGIC.decode()}", "this is no raw stream of phasemark")
        kinds, begins, ends = bytearray(), [], []
        at, size = len(MAGIC), len(self.content)
        while at + RECORD.size <= size:
            kind, length = RECORD.unpack_from(self.content, at)
            begin, at = at + RECORD.size, at + RECORD.size + length
            if at > size:
                break
            kinds.append(kind)
            begins.append(begin)
            ends.append(at)
        self.truncated = at != size
        self._kind = np.frombuffer(bytes(kinds), np.uint8)
        self._begin = np.array(begins, np.int64)
        self._end = np.array(ends, np.int64)


def count_within(sizes: Ints) -> Ints:
    """0, 1 ... size - 1 for every size."""
    ends = np.cumsum(sizes)
    number: Ints = np.arange(ends[-1] if len(ends) else 0)
    return number - np.repeat(ends - sizes, sizes)


def _mapped(path: Path) -> bytes | mmap.mmap:
    """The file as it is now; it may go on growing."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) if size else b""
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", path=path) from error


def text(raw: bytes) -> str:
    """What need not be UTF-8, such as names of files."""
    return raw.decode("utf-8", "surrogateescape")
