"""Several files of a folder change at once: all of them or none, whenever the process is killed.

New files are written completely in a folder of their own beside the others. Then a plan is written there, of
what becomes of each file, and that folder renamed to `.phasemark-change`: from then on the change is made,
and what is left to do is to rename and remove. Whoever holds the folder next does what a killed process left
of that; a folder of new files that was not renamed goes (`leftovers`).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from phasemark.errors import DataError, WorkError
from phasemark.store import leftovers
from phasemark.store.syncing import sync

__all__ = ["Plan", "commit", "finish", "is_under_way", "staging"]

#: The folder of a change that is made, and what is left of it to do.
_READY = ".phasemark-change"

#: Of what a folder of new files is named.
NEW = "phasemark-change"

_PLAN = ".plan"


@dataclass(frozen=True)
class Plan:
    """What becomes of the files of a folder, in this order.

    Attributes:
        aside: names, and what each is called from now on.
        remove: names of files and folders that go.
        place: names of new files that take their place; the last one makes the others count.
    """

    aside: Sequence[tuple[str, str]]
    remove: Sequence[str]
    place: Sequence[str]


def is_under_way(folder: Path) -> bool:
    """Whether files of a folder are just being renamed, or a process was killed while it did that."""
    return os.path.lexists(folder / _READY)


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A folder for new files, beside those of a folder that is held; what is left in it goes.

    Raises:
        WorkError: it cannot be made.
    """
    new = leftovers.name_for(folder / NEW, "new")
    try:
        new.mkdir()
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield new
    finally:
        _clear(new)


def commit(folder: Path, new: Path, plan: Plan) -> None:
    """Make a change.

    Args:
        folder: is held.
        new: of `staging`, with the new files in it.
        plan: what becomes of which.

    Raises:
        WorkError: it cannot be made, and nothing was changed; or what is left of it cannot be done.
    """
    if not plan.aside and not plan.remove and not plan.place:
        return
    written = [new / name for name in plan.place if (new / name).is_file()]
    try:
        if len(plan.place) == 1 and not plan.aside and not plan.remove:
            sync(written)
            (new / plan.place[0]).replace(folder / plan.place[0])
            sync([folder])
            return
        (new / _PLAN).write_text(json.dumps(asdict(plan)), encoding="utf-8")
        sync([*written, new / _PLAN, new])
        new.rename(folder / _READY)
        sync([folder])
    except OSError as error:
        raise _unwritable(folder, error) from error
    finish(folder)


def finish(folder: Path) -> None:
    """Do what is left of a change, if there is one; the folder is held.

    Raises:
        DataError: what is to be done cannot be read.
        WorkError: it cannot be done.
    """
    new = folder / _READY
    if not os.path.lexists(new):
        return
    try:
        plan = _plan(new)
        if plan is not None:
            _do(folder, new, plan)
            (new / _PLAN).unlink()
        _clear(new)
    except OSError as error:
        raise WorkError(
            f"{folder}: its files cannot be renamed: {error.strerror or error}",
            hint="nothing is lost: the next command on the folder, where it can be written, does it",
        ) from error


def _plan(new: Path) -> Plan | None:
    try:
        return Plan(**json.loads((new / _PLAN).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None  # all is done but for the folder itself
    except (ValueError, TypeError) as error:
        raise DataError(
            f"says not which files change ({error})",
            path=new / _PLAN,
            hint=f"look at the files in {new}, and remove it",
        ) from error


def _do(folder: Path, new: Path, plan: Plan) -> None:
    """Each line may have been done before."""
    for name, aside in plan.aside:
        placed = name in plan.place and not os.path.lexists(new / name)
        if not placed and not os.path.lexists(folder / aside):
            with contextlib.suppress(FileNotFoundError):
                (folder / name).rename(folder / aside)
    for name in plan.remove:
        _remove(folder / name)
    for name in plan.place:
        if os.path.lexists(new / name):
            (new / name).replace(folder / name)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        import shutil  # rarely needed, and slow to load

        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _clear(folder: Path) -> None:
    """Remove a folder with the files in it, as far as that goes."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            _remove(path)
        folder.rmdir()


def _unwritable(folder: Path, error: OSError) -> WorkError:
    return WorkError(
        f"{folder}: cannot be written: {error.strerror or error}", hint="choose another folder, or make room"
    )
