"""Whole-or-nothing writing: a file under its name is always complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phasemark.errors import WorkError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success it takes path's place, else it is removed.

    Raises:
        WorkError: the file cannot be written (folder missing, no permission, disk full).
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise WorkError(
            f"{path}: cannot be written: {error.strerror or error}",
            mend="choose another folder with -o, or make room",
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
