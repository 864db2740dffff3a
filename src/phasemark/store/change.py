"""A change of a run's folder: the new files of a step, and what becomes of those before them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

from phasemark.store import changing
from phasemark.store.atomic import write_text
from phasemark.store.layout import Layout
from phasemark.store.record import as_text, entry_as_kept
from phasemark.store.steps import IMPORTED, REMOVED, STEPS, step_of_file, steps_made_from

__all__ = ["Change"]

#: Steps that may have taken hours, and what the rows of their files are of.
_SIMULATED = {"metrics": "intervals", "simulation": "points"}


class Change(Layout):
    """Where a step writes its files, under the names they will have, until all are there: Folder.change.

    Nothing becomes of the files before them until then. Of those, what another tool measured, which may have
    taken weeks, and what phasemark did not write, or not as it is now, is set aside under its name and `~`.

    Attributes:
        discarded: at the end: what happened to files of the folder, one phrase each.
        aside: at the end: name of a file that was set aside -> what it is called now.
    """

    def __init__(self, folder: Path, path: Path, ours: Callable[[Path], bool] | None = None) -> None:
        super().__init__(path)
        self.discarded: list[str] = []
        self.aside: dict[str, str] = {}
        self._spared: set[str] = set()
        self._kept_as: dict[str, str] = {}
        self._back: list[str] = []
        self._folder = folder
        self._ours = ours
        self._anew: list[tuple[str, str | None]] = []
        self._entries: dict[str, dict[str, Any]] = {}
        self._before: dict[str, dict[str, Any]] = {}
        self._known: dict[str, int] = {}
        self._are_measured = False

    def discard_from(self, step: str, keep: str | None = None) -> list[str]:
        """With the change the files of a step go, and those made from them, which would mislead.

        Args:
            step: which.
            keep: a later step whose own files and entry stay.

        Returns:
            The phrases, once the change is made.
        """
        self._anew.append((step, keep))
        return self.discarded

    def set_aside(self, name: str) -> None:
        """With the change a file is set aside, whoever wrote it."""
        self._spared.add(name)

    def kept_as(self, name: str, to: str) -> None:
        """With the change a file goes whose content is among the new files, under another name."""
        self._kept_as[name] = to

    def bring_back(self, aside: str) -> None:
        """With the change a file goes that was set aside, and whose content is among the new files."""
        self._back.append(aside)

    def record(self, step: str, entry: dict[str, Any]) -> None:
        """With the change a step's entry in run.json is added or replaced."""
        self._entries[step] = entry_as_kept(entry)

    def commit(self, steps: dict[str, dict[str, Any]], files: dict[str, int]) -> None:
        """Make the change.

        Args:
            steps: the folder's entries in run.json.
            files: that run.json tells of, with their sizes in bytes.

        Raises:
            WorkError: the folder cannot be written.
        """
        self._before, self._known = steps, files
        new = {path.name: path.lstat().st_size for path in sorted(self.path.iterdir())}
        own, gone = {step for step, _ in self._anew}, self._gone()
        rename, remove = [], list(self._back)
        present = self._present(new, gone)
        self._find_measured(present)
        for path in present:
            step = step_of_file(path.name)
            if path.name in self._kept_as:
                remove += [path.name] * (path.name not in new)
                self.discarded.append(f"{path.name} is now {self._kept_as[path.name]}")
                continue
            spared = path.name in self._spared or self._is_dear(path, step)
            if spared and not _are_equal(path, self.path / path.name):
                to, is_there = _aside(path, self._back)
                self.aside[path.name] = to.name
                self.discarded += self._set_aside(path.name, step, to)
                if not is_there:
                    rename.append((path.name, to.name))
                elif path.name not in new:
                    remove.append(path.name)
            elif path.name not in new:
                remove.append(path.name)
                if step not in own:
                    self.discarded.append(f"{path.name}{REMOVED}")
        left = {name: size for name, size in self._known.items() if name not in [*remove, *self.aside]} | new
        kept = {step: entry for step, entry in self._before.items() if step not in gone} | self._entries
        place = list(new)
        if (kept or self._before) and (place or (kept, left) != (self._before, self._known)):
            place.append(self.run_json.name)
            write_text(self.run_json, as_text(kept, left))
        changing.commit(self._folder, self.path, changing.Plan(rename, remove, place))

    def _gone(self) -> set[str]:
        """The steps whose files and entries go."""
        return {name for step, keep in self._anew for name in steps_made_from(step) if name != keep}

    def _present(self, new: dict[str, int], gone: set[str]) -> list[Path]:
        """The files of the folder that are replaced or go: in the order in which they can be brought back."""
        there = {path: step_of_file(path.name) for path in sorted(self._folder.iterdir())}
        going = [path for path, step in there.items() if path.name in new or step in gone]
        order = [*STEPS, None]
        return sorted(going, key=lambda path: order.index(there[path]))

    def _find_measured(self, present: list[Path]) -> None:
        """What was measured at points means nothing without them: they go where it goes."""
        point_metrics = self._folder / self.point_metrics.name
        self._are_measured = point_metrics in present and self._is_kept(point_metrics.name, "simulation")

    def _is_dear(self, path: Path, step: str | None) -> bool:
        """Whether a file is not to be lost."""
        return self._is_kept(path.name, step) or not self._is_ours(path, step)

    def _is_kept(self, name: str, step: str | None) -> bool:
        """Whether a file can be brought back, and is to be."""
        if step == "points" and self._are_measured:
            return name in IMPORTED
        return self._is_imported(name, step) or (name in IMPORTED and self._is_displaced(step or ""))

    def _is_displaced(self, step: str) -> bool:
        """Whether hours of simulation go for another tool's rows, or for less that was cut short."""
        before, new = self._before.get(step, {}), self._entries.get(step, {})
        if step not in _SIMULATED or "intervals" not in before:
            return False
        return "files" in new or (bool(new.get("missing")) and new.get("intervals", 0) < before["intervals"])

    def _is_imported(self, name: str, step: str | None) -> bool:
        """Whether another tool made what a file holds."""
        return name in IMPORTED and "files" in self._before.get(step or "", {})

    def _is_ours(self, path: Path, step: str | None) -> bool:
        """Whether phasemark wrote a file, as it is now."""
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return False
        if path.name in self._known:
            return self._known[path.name] == status.st_size
        if not status.st_size:
            return True  # nothing to lose
        if self._ours is not None:
            return self._ours(path)
        # An earlier phasemark told of its steps, not of their files.
        return step in self._before and not any(step_of_file(name) == step for name in self._known)

    def _set_aside(self, name: str, step: str | None, aside: Path) -> list[str]:
        """What happened to a file, and how the user gets it back."""
        if not self._is_kept(name, step):
            return [f"{name} is now {aside.name} (phasemark did not write it, or not as it is)"]
        command = IMPORTED[name].format(file=quote(str(aside)), folder=quote(str(self._folder)))
        entry = self._before.get(step or "", {})
        of = entry.get("of") if "files" in entry else _SIMULATED.get(step or "")
        if step in _SIMULATED and of in ("run", "intervals", "points"):
            command += f" --of {of}"
        return [f"{name} is now {aside.name}", f"`{command}` brings it back"]


def _aside(path: Path, going: list[str]) -> tuple[Path, bool]:
    """Where a file is set aside, and whether it is there already.

    It is so under its name and `~`, or one more where something else, or what is `going`, is there.
    """
    aside = Path(f"{path}~")
    while os.path.lexists(aside):
        if aside.name not in going and _are_equal(path, aside):
            return aside, True
        aside = Path(f"{aside}~")
    return aside, False


def _are_equal(one: Path, other: Path) -> bool:
    try:
        if not one.is_file() or one.is_symlink() or one.stat().st_size != other.stat().st_size:
            return False
        return one.read_bytes() == other.read_bytes()
    except OSError:
        return False
