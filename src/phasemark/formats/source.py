"""Other tools' files as streams of bytes: plain or gzip, told apart by content, never by name."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from phasemark.errors import DataError, WorkError
from phasemark.formats.ahead import ahead
from phasemark.progress import Progress
from phasemark.threads import thread_count

__all__ = ["STDIN", "DamagedStream", "chunks", "plain_size", "reading", "text_lines"]

#: Standard input, where a file's name is asked for.
STDIN = "-"

#: Small enough for the processor's cache.
_CHUNK = 1 << 18
_GZIP = b"\x1f\x8b"
_AGAIN = "write or copy the file again"


class DamagedStream(DataError):
    """A gzip stream that is cut short or damaged: what came before it is good, and not all."""


def chunks(path: str | Path, progress: Progress | None = None) -> Generator[bytes]:
    """The content of a file, unzipped, in pieces of up to 256 KiB.

    Where there may be two threads, one unzips while the other works on the pieces.

    Args:
        path: a regular file, or `-` for standard input.
        progress: told bytes read and bytes in the file, zipped as they are; not for standard input.

    Raises:
        DataError: no such file, or no regular file.
        DamagedStream: a gzip stream that is cut short or damaged.
        WorkError: the file cannot be read.
    """
    with reading(path) as raw:
        try:
            for chunk, position in _pieces(raw, is_file=str(path) != STDIN):
                yield chunk
                if progress is not None and str(path) != STDIN:
                    progress(position, Path(path).stat().st_size)
        except EOFError:
            raise DamagedStream(
                "the gzip stream is cut short, or something follows it", path=path, hint=_AGAIN
            ) from None
        except _gzip_errors() as error:
            raise DamagedStream(f"the gzip stream is damaged ({error})", path=path, hint=_AGAIN) from None


def plain_size(path: str | Path) -> int | None:
    """Bytes of a file that is no gzip stream; None for one that is, and for standard input.

    Raises:
        DataError, WorkError: as `chunks`.
    """
    if str(path) == STDIN:
        return None
    with reading(path) as file:
        return None if _is_gzip(file) else os.fstat(file.fileno()).st_size


def text_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of each line that is neither blank nor a `#` comment, for small files.

    Raises:
        DataError: as `chunks`; or the file is no text.
    """
    content = b"".join(chunks(path))
    for number, line in enumerate(content.split(b"\n"), 1):
        text = line.strip()
        if not text or text.startswith(b"#"):
            continue
        if not text.isascii() or b"\0" in text:
            raise DataError("holds bytes that are no text", path=path, line=number)
        yield number, text.decode("ascii")


@contextmanager
def reading(path: str | Path) -> Iterator[BufferedReader]:
    """An open file, or standard input; what the system says against reading it becomes a WorkError.

    Raises:
        DataError: no such file, or no regular file.
        WorkError: the file cannot be read.
    """
    try:
        if str(path) == STDIN:
            if sys.stdin is None:
                raise DataError("there is no standard input", hint="leave it open, or name a file")
            yield cast(BufferedReader, sys.stdin.buffer)
            return
        _require_regular(Path(path))
        with Path(path).open("rb") as file:
            yield file
    except OSError as error:
        raise WorkError(f"{path}: cannot be read: {error.strerror or error}") from error


def _require_regular(path: Path) -> None:
    """Opening a FIFO or a terminal would wait for ever, and a device never ends."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise DataError(
            f"cannot be found ({getattr(error, 'strerror', error)})", path=path, hint="check the name"
        ) from error
    if stat.S_ISDIR(mode):
        raise DataError("is a folder, not a file", path=path, hint="name the files in it")
    if not stat.S_ISREG(mode):
        raise DataError("is no regular file", path=path, hint="pipe its content in and name the file `-`")


def _is_gzip(raw: BufferedReader) -> bool:
    return raw.peek(2)[:2] == _GZIP


def _pieces(raw: BufferedReader, *, is_file: bool) -> Iterator[tuple[bytes, int]]:
    """Pieces of the content, and how far the file was read for each."""
    if not _is_gzip(raw):
        return _read(raw, raw, is_file)
    from isal import igzip

    unzipped = _read(cast(BinaryIO, igzip.IGzipFile(fileobj=raw)), raw, is_file)  # type: ignore[no-untyped-call]
    return ahead(unzipped) if is_file and thread_count() > 1 else unzipped


def _read(stream: BinaryIO, raw: BufferedReader, is_file: bool) -> Iterator[tuple[bytes, int]]:
    while chunk := stream.read(_CHUNK):
        yield chunk, raw.tell() if is_file else 0


def _gzip_errors() -> tuple[type[Exception], ...]:
    import zlib
    from gzip import BadGzipFile

    from isal import isal_zlib

    return (BadGzipFile, zlib.error, cast(type[Exception], isal_zlib.error))
