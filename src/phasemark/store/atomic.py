"""Whole-or-nothing writing: a file under its name is always complete."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from phasemark.errors import WorkError
from phasemark.store import leftovers
from phasemark.store.names import usable


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success it takes path's place, else it is removed.

    What is no file (a device, a pipe, /dev/stdout) is written to, never replaced. What a killed process
    left under a temporary name of the same file goes.

    Raises:
        WorkError: the file cannot be written (folder missing, no permission, disk full).
    """
    path = Path(path)
    if not os.path.islink(path):  # a link is replaced, wherever it leads  # noqa: PTH114
        usable(path)
    try:
        if _is_no_file(path):
            import shutil  # rarely needed, and slow to load
            import tempfile

            with tempfile.TemporaryDirectory(prefix="phasemark-") as folder:
                temporary = Path(folder) / "content"
                yield temporary
                with temporary.open("rb") as content, _opened(path) as out:
                    shutil.copyfileobj(content, out)
            return
        if _is_of_change(path):
            yield path  # with its folder it takes its place, or goes
            return
        leftovers.sweep(path.parent, path.name)
        temporary = leftovers.name_for(path)
        waiting = _together.files
        try:
            yield temporary
            if waiting is None:
                temporary.replace(path)
        except BaseException:
            _unlink(temporary)
            raise
        if waiting is not None:
            waiting[path] = temporary
    except OSError as error:
        raise _cannot(path, error) from error


@contextmanager
def together() -> Iterator[None]:
    """Files that are written meanwhile take their places at the end, when all are complete; or none does.

    Raises:
        WorkError: a file cannot take its place.
    """
    files = _together.files = {}
    try:
        yield
        for path in list(files):
            try:
                files[path].replace(path)
            except OSError as error:
                raise _cannot(path, error) from error
            del files[path]
    finally:
        _together.files = None
        for temporary in files.values():
            _unlink(temporary)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, whole or not at all; names in it that are no text keep their bytes."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="surrogateescape")


class _Together(threading.local):
    """Where this thread's files go together: path -> its complete content."""

    files: dict[Path, Path] | None = None


_together = _Together()

#: /dev/stdout and its like: where an open descriptor stands in a file, only the descriptor knows.
_DESCRIPTOR = re.compile(r"/dev/std(?P<name>out|err)|/(?:dev|proc/self)/fd/(?P<number>\d+)")


def _unlink(temporary: Path) -> None:
    with suppress(OSError):
        temporary.unlink(missing_ok=True)


def _cannot(path: Path, error: OSError) -> WorkError:
    return WorkError(
        f"{_shown(path)}: cannot be written: {error.strerror or error}",
        hint="choose another folder, or make room",
    )


def _shown(path: Path) -> Path:
    """The name that people know: files of a change are written in a folder of their own first."""
    return path.parent.parent / path.name if _is_of_change(path) else path


def _is_of_change(path: Path) -> bool:
    return path.parent.name.startswith(".phasemark-change.")


def _is_no_file(path: Path) -> bool:
    """Whether it is an open descriptor, or there and no regular file."""
    try:
        return bool(_DESCRIPTOR.fullmatch(str(path))) or not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _opened(path: Path) -> BinaryIO:
    match = _DESCRIPTOR.fullmatch(str(path))
    if match is None:
        return path.open("wb")
    return os.fdopen(os.dup(int(match["number"] or {"out": 1, "err": 2}[match["name"]])), "wb")
