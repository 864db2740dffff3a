"""What is written reaches the disk before a change counts: power may fail."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["sync"]

#: A file system that cannot be asked; what it loses nobody can help.
_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)


def sync(paths: Sequence[Path]) -> None:
    """Wait until the content of files, and the names in folders, are on the disk.

    All at once: the file system then writes its journal once or twice, and not for each.

    Raises:
        OSError: they cannot be written.
    """
    failed: list[OSError] = []

    def work(path: Path) -> None:
        try:
            _sync(path)
        except OSError as error:
            failed.append(error)

    others = [thread for path in paths[1:] if (thread := _started(work, path))]
    for path in paths[:1]:
        work(path)
    for thread in others:
        thread.join()
    if failed:
        raise failed[0]


def _started(work: Callable[[Path], None], path: Path) -> threading.Thread | None:
    """A thread that does it; None: the system gives none, and it is done."""
    thread = threading.Thread(target=work, args=(path,))
    try:
        thread.start()
    except RuntimeError:
        work(path)
        return None
    return thread


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    finally:
        os.close(handle)
