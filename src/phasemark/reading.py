"""Files opened so that nothing in their place can hang, fill the memory, or end in a stray error.

A reader names the limit of what it reads, opens its file by `opened` or takes its `content`, and stands in
`reading_as`, which makes of an error that nobody foresaw one that names the file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from phasemark.errors import DataError, PhasemarkError, WorkError, printable

__all__ = [
    "CONFIGURATION",
    "LONGEST_LINE",
    "RECORD",
    "TABLE",
    "Limit",
    "Unforeseen",
    "content",
    "limited",
    "lines",
    "opened",
    "pieces",
    "reading_as",
    "too_large",
    "whole_number",
]

_MIB = 2**20


@dataclass(frozen=True)
class Limit:
    """The most that is read of a kind of file.

    Attributes:
        what: the kind, as `a configuration`.
        stored: bytes, as they lie in a plain file.
        unzipped: bytes that come out of a gzip stream; few of it may hold very many.
    """

    what: str
    stored: int
    unzipped: int


#: A configuration, written by hand.
CONFIGURATION = Limit("a configuration", _MIB, _MIB)

#: run.json, and what else is JSON.
RECORD = Limit("a JSON file", 64 * _MIB, 64 * _MIB)

#: A row a point, an interval or a second of time.
TABLE = Limit("a table", 4096 * _MIB, 256 * _MIB)

#: Bytes of a line; the comment of a table of ten thousand counters, with their units, is long.
LONGEST_LINE = 16 * _MIB

_PIECE = 1 << 18

#: Characters of what another's error says.
_REASON = 200


class Unforeseen(DataError):
    """What reading a file raised that no reader had foreseen; the cause is chained."""


@contextmanager
def opened(path: str | Path) -> Iterator[BufferedReader]:
    """A regular file, open; to open a pipe is to wait for who writes to it, and a device never ends.

    Raises:
        DataError: no such file, or no regular file; or it was written to while it was read, so that what was
            read may be neither what it held before nor what it holds now.
        WorkError: the file cannot be read.
    """
    _require_regular(path, _status(path).st_mode)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            # Another may lie there by now.
            before = os.fstat(handle)
            _require_regular(path, before.st_mode)
            os.set_blocking(handle, True)
            try:
                yield file
            except DataError as error:
                _require_unchanged(path, before, os.fstat(handle), error)
                raise
            _require_unchanged(path, before, os.fstat(handle))
    except OSError as error:
        raise WorkError(f"{path}: cannot be read: {error.strerror or error}") from error


def content(path: str | Path, limit: Limit) -> bytes:
    """All of a small file.

    Raises:
        DataError: no such file, no regular file, or a larger one than the limit.
        WorkError: the file cannot be read.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit.stored:
            raise too_large(path, limit, zipped=False)
        held = file.read(size + 1)  # so much memory is asked for, whatever there is to read
        while len(held) <= limit.stored and (more := file.read(_PIECE)):  # files of /proc have no size
            held += more
    if len(held) > limit.stored:
        raise too_large(path, limit, zipped=False)
    return held


def limited(pieces: Iterator[bytes], path: str | Path, limit: Limit, *, zipped: bool) -> Iterator[bytes]:
    """Pieces of a file's content, up to the limit.

    Raises:
        DataError: there are more.
    """
    most, held = limit.unzipped if zipped else limit.stored, 0
    for piece in pieces:
        held += len(piece)
        if held > most:
            raise too_large(path, limit, zipped=zipped)
        yield piece


def lines(
    pieces: Iterator[bytes], path: str | Path, longest: int = LONGEST_LINE
) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and content of each line, without its end; one at a time is held.

    Raises:
        DataError: a line is longer than `longest`; names it.
    """
    number, begun = 0, b""
    for piece in pieces:
        first, *others = piece.split(b"\n")
        begun += first
        for other in others:
            number += 1
            yield number, begun
            begun = other
        if len(begun) > longest:
            raise DataError(
                f"the line is longer than {_size(longest)}", path=path, line=number + 1,
                hint="name a file of text; its lines end in a line feed",
            )  # fmt: skip
    if begun:
        yield number + 1, begun


def pieces(file: BufferedReader) -> Iterator[bytes]:
    """The content of an open file, a quarter of a MiB at a time."""
    while piece := file.read(_PIECE):
        yield piece


def too_large(path: str | Path, limit: Limit, *, zipped: bool) -> DataError:
    """That a file holds more than is read of its kind."""
    if zipped:
        return DataError(
            f"holds more than {_size(limit.unzipped)}, the most that is unzipped of {limit.what}",
            path=path,
            hint="if it is meant to, unzip it first (gunzip)",
        )
    return DataError(
        f"is larger than {_size(limit.stored)}, the most that is read of {limit.what}",
        path=path,
        hint="name another file, or split it",
    )


@contextmanager
def reading_as(path: str | Path, what: str, *, hint: str = "") -> Iterator[None]:
    """Whatever reading a file raises becomes a DataError that names it; ours, said of a file, stay.

    Args:
        path: the file.
        what: what it should be, as `a table`.
        hint: what to do about a damaged one.

    Raises:
        DataError: an error of ours, now with the file.
        Unforeseen: any other; its cause is chained, for tests that look for our own faults.
        WorkError: the file cannot be read.
    """
    try:
        yield
    except DataError as error:
        if error.path is None:
            raise error.at(path) from error
        raise
    except PhasemarkError:
        raise
    except OSError as error:
        raise WorkError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (AssertionError, NameError, ImportError, NotImplementedError):
        raise  # no file provokes these
    except Exception as error:
        reason = printable(str(error) or type(error).__name__)[:_REASON]
        raise Unforeseen(f"cannot be read as {what}: {reason}", path=path, hint=hint) from error


def whole_number(text: str | bytes, most: int = 2**63 - 1) -> int | None:
    """A whole number from 0 in decimal digits; None where it is none, or too large.

    Python itself refuses to read some thousands of digits, and takes underscores and digits of any script.
    """
    digits = text.encode("ascii", "replace") if isinstance(text, str) else text
    if not digits.isdigit():
        return None
    digits = digits.lstrip(b"0") or b"0"
    if len(digits) > len(str(most)) or (value := int(digits)) > most:
        return None
    return value


def nothing_there(path: str | Path, hint: str = "check the name", *, folder: bool = False) -> DataError:
    """The error: a file is not there, said alike by whoever looks for one.

    Args:
        path: of it.
        hint: what to do about it.
        folder: it might have been a folder, too.
    """
    what = "file or folder" if folder else "file"
    return DataError(f"there is no such {what}", path=path, hint=hint)


def _status(path: str | Path) -> os.stat_result:
    try:
        return os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError) as error:
        raise nothing_there(path) from error
    except (OSError, ValueError) as error:
        raise DataError(
            f"cannot be found ({getattr(error, 'strerror', error)})", path=path, hint="check the name"
        ) from error


def _require_regular(path: str | Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise DataError("is a folder, not a file", path=path, hint="name the files in it")
    if not stat.S_ISREG(mode):
        raise DataError("is no regular file", path=path, hint="save its content, and name the file")


def _require_unchanged(
    path: str | Path, before: os.stat_result, after: os.stat_result, cause: DataError | None = None
) -> None:
    """See that a file has the size and the time that it had; one that is put in its place is another."""
    if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
        return
    how = "written to"
    if before.st_size != after.st_size:
        how = f"{'cut' if after.st_size < before.st_size else 'grown'} from {before.st_size:,} to "
        how += f"{after.st_size:,} bytes"
    raise DataError(
        f"was {how} while it was read",
        path=path,
        hint="wait until what writes it is done, then do this again",
    ) from cause


def _size(count: int) -> str:
    for unit, of in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= of:
            return f"{count / of:g} {unit}"
    return f"{count} bytes"


def __dir__() -> list[str]:
    return sorted(__all__)
