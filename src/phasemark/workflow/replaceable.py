"""Whether another profile may take the place of a folder's."""

from __future__ import annotations

from phasemark.errors import UsageError
from phasemark.store.folder import Folder


def require_not_recorded(folder: Folder) -> None:
    """See that the folder does not hold the run of a program: another profile would take its place.

    Raises:
        UsageError: it does.
    """
    if folder.is_recorded():
        raise UsageError(
            f"{folder.path} holds a recorded run of {' '.join(folder.command)}, which would be lost",
            hint="choose another folder with -o",
        )
