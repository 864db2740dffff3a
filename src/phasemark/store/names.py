"""Paths as callers give them: what the system cannot take as a path is said in a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from phasemark.errors import WorkError

__all__ = ["usable"]

#: Of a path that is shown.
_SHOWN = 60

_NO_PATH = (errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL)


def usable(path: str | Path) -> Path:
    """A path that the system takes for one; nothing need be there.

    Raises:
        WorkError: it holds a NUL or what is no name, is too long, or its links lead in a circle.
    """
    path = Path(path)
    try:
        os.stat(path)  # noqa: PTH116
    except ValueError as error:
        raise WorkError(f"{_shown(path)}: is no path ({error})", hint="check the name") from error
    except OSError as error:
        if error.errno in _NO_PATH:
            raise WorkError(f"{_shown(path)}: {error.strerror}") from error
    return path


def _shown(path: Path) -> str:
    text = str(path).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
