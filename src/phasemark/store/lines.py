"""A file that lines are added to while work goes on, which the file's fate must not stop."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from phasemark.errors import WorkError
from phasemark.store.names import usable

__all__ = ["Lines"]


class Lines:
    """Adds whole lines to the end of a file, each at once, and never waits for a reader.

    A line that cannot be written, as where the disk is full, is lost, and the next is tried again.

    Args:
        path: a file that is there already is added to.

    Attributes:
        lost: lines that could not be written.
        why: why the last of them could not.

    Raises:
        WorkError: it cannot be opened.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.lost, self.why = 0, ""
        self._torn = False
        usable(self.path)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
            self._handle = os.open(self.path, flags, 0o666)
        except OSError as error:
            reason = "it is a pipe that nobody reads" if error.errno == errno.ENXIO else error.strerror
            raise WorkError(
                f"{self.path}: cannot be written: {reason}", hint="name a file in a folder that is there"
            ) from error

    def add(self, line: str) -> bool:
        """Add a line; whether it was written."""
        content = f"{line}\n".encode("utf-8", "backslashreplace")
        if self._torn:  # what is left of an earlier line is one of its own
            content = b"\n" + content
        try:
            written = os.write(self._handle, content)
        except OSError as error:
            self.why, written = error.strerror or str(error), 0
        else:
            self._torn = written < len(content) and (written > 0 or self._torn)
            self.why = self.why if written == len(content) else "there is no more room"
        if written < len(content):
            self.lost += 1
        return written == len(content)

    def close(self) -> None:
        """No more lines will come."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
