"""What the steps of a run work on: its folder, and how the profile of another file comes into one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phasemark.formats.source import STDIN
from phasemark.store import missing, profile_h5
from phasemark.store.folder import Folder
from phasemark.store.names import usable
from phasemark.workflow import origin
from phasemark.workflow.reading import read
from phasemark.workflow.replaceable import require_not_recorded


@dataclass(frozen=True)
class Source:
    """A run's folder, ready for its steps.

    Attributes:
        folder: with the profile in it.
        discarded: what became of files in it that were made from another profile, one phrase each.
    """

    folder: Folder
    discarded: tuple[str, ...] = ()


def folder_of(source: str | Path, out: str | Path | None = None) -> Folder:
    """The folder that the steps on `source` write to.

    Args:
        source: a run's folder, its profile.h5, or a vector file of another tool.
        out: the folder to write to; None: the run's own folder, for other files FILE.phasemark beside it.
    """
    source = usable(source)
    if out is not None:
        return Folder(out)
    if source.is_dir():
        return Folder(source)
    if source.name == Folder(source.parent).profile.name:
        return Folder(source.parent)
    return Folder(source.with_name(source.name + ".phasemark"))


def bring_in(source: str | Path, out: str | Path | None = None, *, cached: bool = True) -> Source:
    """`folder_of`, with the profile that `source` holds in it.

    Args:
        source, out: see `folder_of`.
        cached: do not read `source` again where the folder's profile is known to be of it.

    Raises:
        DataError: source holds no profile, or the folder's run.json is damaged.
        UsageError: the folder holds the recorded run of a program, which would be lost.
        WorkError: the folder cannot be written.
    """
    source = usable(source)
    folder = folder_of(source, out)
    held = Folder(source).profile if source.is_dir() else source
    if source.is_dir() and not held.exists() and not Folder(source).is_unfinished():
        raise missing.no_file(held, missing.RECORD)
    if str(source) != STDIN and not source.exists():
        raise missing.no_folder(source)
    if held.resolve() == folder.profile.resolve() or (cached and origin.is_known(folder, source)):
        return Source(folder)
    return _copied(source, folder)


def _copied(source: Path, folder: Folder) -> Source:
    require_not_recorded(folder)
    before = origin.identity(source)
    profile = read(source)
    entry = {"source": source.name, "tool": profile.provenance.tool}
    with folder.create().held("phases"):
        require_not_recorded(folder)
        with folder.change("phases") as new:
            new.discard_from("profile")
            seal = profile_h5.write(new.profile, profile)
            new.record("profile", entry)
        # Renaming changes what the system says of a file: only now is that what it will be.
        if known := origin.entry(folder, seal, source, before):
            folder.record("profile", {**entry, **known})
    return Source(folder, tuple(new.discarded))
