"""What is said where a run's folder, or a file in it, is not there: the same by every command."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from phasemark.errors import DataError
from phasemark.reading import nothing_there

__all__ = ["no_file", "no_folder"]

#: What makes a profile.
RECORD = "run `phasemark profile` or `phasemark import` first"


def no_folder(path: str | Path) -> DataError:
    """The error: neither a run's folder nor a file is there."""
    return nothing_there(path, "name the folder of a run", folder=True)


def no_file(path: Path, hint: str) -> DataError:
    """The error: a file is not in a run's folder, or the folder is not there either.

    Args:
        path: the file.
        hint: what makes it; `DIR` in it stands for the folder.
    """
    if not path.parent.exists():
        return no_folder(path.parent)
    return nothing_there(path, hint.replace("DIR", quote(str(path.parent))))
