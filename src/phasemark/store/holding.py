"""Who works in a folder: one command at a time; the next one waits, or is told who is there.

The holder keeps a lock on the file `.phasemark-lock` in the folder, which says who it is. A process that
dies lets go. Where the file system has no locks, what the file says must do.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from phasemark import progress
from phasemark.errors import WorkError
from phasemark.store import leftovers

__all__ = ["Busy", "Holder", "hold", "is_held_here"]

#: The file that is locked.
LOCK = ".phasemark-lock"

#: How often who waits looks again, in seconds.
_EVERY = 0.02

#: Where there are no locks: on another host nobody can be asked, and nobody works so long, in seconds.
_LONGEST = 7 * 86_400.0


@dataclass(frozen=True)
class Holder:
    """Who holds a folder.

    Attributes:
        command: what it does, as `simulate`.
        pid: its process; 0: not known.
        place: see `leftovers.place`.
        host: its name.
        takes_long: it may work for hours.
    """

    command: str = ""
    pid: int = 0
    place: str = ""
    host: str = ""
    takes_long: bool = False

    @classmethod
    def here(cls, command: str, *, takes_long: bool) -> Holder:
        """This process."""
        return cls(command, os.getpid(), leftovers.place(), os.uname().nodename, takes_long)

    def __str__(self) -> str:
        if not self.pid:
            return "another phasemark"
        where = "" if self.place == leftovers.place() else f" on {self.host}"
        return f"`phasemark {self.command}` (process {self.pid}{where})"


class Busy(WorkError):
    """Another process or thread holds the folder."""


@contextlib.contextmanager
def hold(folder: Path, command: str, *, takes_long: bool = False, waits: bool = True) -> Iterator[bool]:
    """Hold a folder; again within itself, a thread holds it as it did.

    Who comes second waits for what is done in seconds or minutes, and does not for what may take hours.

    Args:
        folder: exists.
        command: what is done, for others to read.
        takes_long: it may take hours.
        waits: for whoever is done soon.

    Yields:
        Whether it was not held by this thread before.

    Raises:
        Busy: somebody holds it for long.
        WorkError: the folder cannot be written.
    """
    try:
        status = folder.stat()
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from error
    key = (os.getpid(), status.st_dev, status.st_ino)
    if key in _mine.folders:
        yield False
        return
    handle = _lock(folder / LOCK, Holder.here(command, takes_long=takes_long), waits)
    _mine.folders.add(key)
    try:
        yield True
    finally:
        _mine.folders.discard(key)
        _release(folder / LOCK, handle)


def is_held_here(folder: Path) -> bool:
    """Whether this thread holds a folder."""
    try:
        status = folder.stat()
    except (OSError, ValueError):
        return False
    return (os.getpid(), status.st_dev, status.st_ino) in _mine.folders


class _Mine(threading.local):
    """The folders that this thread holds."""

    def __init__(self) -> None:
        self.folders: set[tuple[int, int, int]] = set()


_mine = _Mine()


def _lock(path: Path, holder: Holder, waits: bool) -> int:
    told = False
    while True:
        handle = _opened(path)
        try:
            other = _taken(path, handle, holder)
            if other is None:
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if other is _GONE:
            continue
        if other.takes_long or not waits:
            raise Busy(
                f"{path.parent}: {other} is at work in it",
                hint="wait for its end, or work in another folder",
            )
        if not told and other.pid:
            progress.waiting(f"waiting for {other}, which is at work in {path.parent}")
            told = True
        time.sleep(_EVERY)


#: The lock file was removed while it was waited for.
_GONE = Holder()


def _taken(path: Path, handle: int, holder: Holder) -> Holder | None:
    """None if the open lock file is ours now; else whose it is."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(handle)
    except OSError:  # a file system without locks
        other = _read(handle)
        if other.pid and _is_there(other, os.fstat(handle).st_mtime):
            return other
    try:
        if os.fstat(handle).st_ino != path.stat().st_ino:
            return _GONE
    except OSError:
        return _GONE
    with contextlib.suppress(OSError):  # on a full disk nobody is told who it is
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(vars(holder)).encode(), 0)
    return None


def _is_there(holder: Holder, since: float) -> bool:
    if holder.place == leftovers.place():
        return leftovers.is_alive(holder.pid, since)
    return time.time() - since < _LONGEST


def _read(handle: int) -> Holder:
    try:
        return Holder(**json.loads(os.pread(handle, 4096, 0)))
    except (OSError, ValueError, TypeError):
        return Holder()  # it is just being written


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as error:
        raise _unwritable(path.parent, error) from error


def _release(path: Path, handle: int) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
    with contextlib.suppress(OSError):
        os.close(handle)


def _unwritable(folder: Path, error: Exception) -> WorkError:
    why = getattr(error, "strerror", None) or error
    return WorkError(f"{folder}: cannot be written: {why}", hint="make it writable, or work in a copy of it")
