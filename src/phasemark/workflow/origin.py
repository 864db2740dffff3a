"""What the profile.h5 of a folder was made from, so that the same file need not be read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from phasemark._version import __version__
from phasemark.formats.source import STDIN
from phasemark.store import hdf5
from phasemark.store.folder import Folder

#: Key of the profile's entry in run.json.
_IDENTITIES = "identities"


def identity(source: Path) -> dict[str, Any] | None:
    """What tells a source's content from any other (see `cache.identity`); None where nothing does.

    Args:
        source: a run's folder, its profile.h5, or a vector file of another tool.
    """
    if str(source) == STDIN or (source.is_dir() and Folder(source).is_unfinished()):
        return None
    return hdf5.identity(Folder(source).profile if source.is_dir() else source)


def entry(folder: Folder, seal: str, source: Path, before: dict[str, Any] | None) -> dict[str, Any]:
    """For run.json: that profile.h5 was made from `source`; empty where that is not certain.

    Args:
        folder: that profile.h5 was written to.
        seal: of the profile.h5 that was written.
        source: that was read.
        before: its identity before it was read.
    """
    written = hdf5.identity(folder.profile)
    if before is None or identity(source) != before or written is None or written["seal"] != seal:
        return {}
    return {_IDENTITIES: {"source": before, "profile.h5": written}}


def is_known(folder: Folder, source: Path) -> bool:
    """Whether the folder's profile.h5 is what this phasemark made from `source` as it is now.

    Raises:
        DataError: run.json is damaged.
    """
    recorded = folder.entry_of("profile")
    now = {"source": identity(source), "profile.h5": hdf5.identity(folder.profile)}
    made = (recorded.get("phasemark"), recorded.get("source"), recorded.get(_IDENTITIES))
    return None not in now.values() and made == (__version__, source.name, now)
