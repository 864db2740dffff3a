"""Standard streams as they may be: closed, of a reader who leaves, of names that are no text.

`phasemark ... | head` is no error: what nobody reads any more is dropped, the work goes on to its end, and
the exit status is the work's. So it is where messages cannot be written, as to a full disk; results that
cannot are an error.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["drop_output", "flush_output", "prepare"]


class _Output(io.FileIO):
    """A descriptor to write to; once its reader has left, to nobody."""

    left = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as much as goes."""
        if not self.left:
            try:
                return super().write(data)
            except BrokenPipeError:
                self.left = True
        return memoryview(data).nbytes


class _Messages(_Output):
    """A descriptor for messages: where one cannot be written, nothing can be said, and the work goes on."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write as much as goes."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def prepare() -> None:
    """Put such streams in place of the interpreter's."""
    sys.stdout = _prepared(sys.stdout, 1)
    sys.stderr = _prepared(sys.stderr, 2)


def flush_output() -> None:
    """Write what is held back.

    Raises:
        OSError: it cannot be written: the disk is full.
    """
    sys.stdout.flush()


def drop_output() -> None:
    """Let the interpreter's end not try again to write what cannot be written."""
    raw = _raw(sys.stdout)
    if isinstance(raw, _Output):
        raw.left = True


def _prepared(stream: TextIO | None, descriptor: int) -> TextIO:
    if stream is None:
        _reserve(descriptor)
        return _text(descriptor, "utf-8", by_line=False)
    raw = _raw(stream)
    if isinstance(stream, io.TextIOWrapper) and isinstance(raw, io.FileIO) and not isinstance(raw, _Output):
        stream.flush()
        return _text(raw.fileno(), stream.encoding, by_line=stream.line_buffering or raw is stream.buffer)
    return stream  # of whoever calls us within Python


def _raw(stream: TextIO) -> object:
    """What a stream writes to; without a buffer between them where the interpreter is told so."""
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _text(descriptor: int, encoding: str, *, by_line: bool) -> TextIO:
    raw = (_Messages if descriptor == 2 else _Output)(descriptor, "w", closefd=False)
    # Names of files need not be text.
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=by_line or descriptor == 2
    )


def _reserve(descriptor: int) -> None:
    """A closed descriptor would be that of the next file that is opened, and messages would go into it."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    if nothing != descriptor:
        os.dup2(nothing, descriptor)
        os.close(nothing)
