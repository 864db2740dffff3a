"""Other tools' files as streams of bytes: plain or gzip, told apart by content, never by name.

`chunks` is the stream; `lines` and `text_lines` hold one line of it at a time, `content` all of a small one.
What they may hold is bounded (`phasemark.reading`): a few kilobytes of gzip may be gigabytes.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from phasemark.errors import DataError, WorkError
from phasemark.formats.ahead import ahead
from phasemark.progress import Progress
from phasemark.reading import LONGEST_LINE, TABLE, Limit, limited, opened
from phasemark.reading import lines as split_lines
from phasemark.threads import thread_count

__all__ = ["STDIN", "DamagedStream", "chunks", "content", "lines", "plain_size", "reading", "text_lines"]

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
        DataError: no such file, no regular file, or one that was written to in the meantime.
        DamagedStream: a gzip stream that is cut short or damaged.
        WorkError: the file cannot be read.
    """
    with reading(path) as raw:
        try:
            for chunk, position in _pieces(raw, is_file=str(path) != STDIN):
                yield chunk
                if progress is not None and str(path) != STDIN:
                    progress(position, os.fstat(raw.fileno()).st_size)
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


def content(path: str | Path, limit: Limit) -> bytes:
    """All of a small file, unzipped.

    Raises:
        DataError: as `chunks`; or there is more of it than the limit.
    """
    return b"".join(_limited(path, limit))


def lines(
    path: str | Path, limit: Limit | None = None, longest: int = LONGEST_LINE
) -> Generator[tuple[int, bytes]]:
    """Number (from 1) and content of each line, unzipped, without its line feed; one at a time is held.

    Args:
        path: a regular file, plain or gzip, or `-`.
        limit: the most of it that is read; None: all, for readers that keep little of it.
        longest: bytes of a line.

    Raises:
        DataError: as `chunks`; or there is more than the limit, or a longer line; names file and line.
    """
    with closing(_limited(path, limit)) as pieces:
        yield from split_lines(pieces, path, longest)


def text_lines(path: str | Path, limit: Limit = TABLE) -> Generator[tuple[int, str]]:
    """Number (from 1) and text of each line that is neither blank nor a `#` comment.

    Raises:
        DataError: as `lines`; or the file is no text.
    """
    with closing(lines(path, limit)) as numbered:
        for number, line in numbered:
            text = line.removeprefix(codecs.BOM_UTF8).strip()
            if not text or text.startswith(b"#"):
                continue
            if not text.isascii() or b"\0" in text:
                raise DataError("holds bytes that are no text", path=path, line=number)
            yield number, text.decode("ascii")


def _limited(path: str | Path, limit: Limit | None) -> Generator[bytes]:
    if limit is None:
        yield from chunks(path)
        return
    zipped = str(path) != STDIN and plain_size(path) is None
    if zipped:  # to unzip takes a moment; to read all that comes before the limit, and keep it, does not
        with closing(chunks(path)) as pieces:
            for _ in limited(pieces, path, limit, zipped=True):
                pass
    with closing(chunks(path)) as pieces:
        yield from limited(pieces, path, limit, zipped=zipped)


@contextmanager
def reading(path: str | Path) -> Iterator[BufferedReader]:
    """An open file, or standard input; what the system says against reading it becomes a WorkError.

    Raises:
        DataError: no such file, or no regular file.
        WorkError: the file cannot be read.
    """
    if str(path) != STDIN:
        with opened(path) as file:
            yield file
        return
    if sys.stdin is None:
        raise DataError("there is no standard input", hint="leave it open, or name a file")
    try:
        yield cast(BufferedReader, sys.stdin.buffer)
    except OSError as error:
        raise WorkError(f"{path}: cannot be read: {error.strerror or error}") from error


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
