"""A run's folder: which file is called what, and run.json, which says how the files came about.

Nobody else looks into run.json: what a step needs to know of another it asks here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from phasemark._version import __version__
from phasemark.errors import DataError, WorkError, shown
from phasemark.reading import RECORD, content
from phasemark.store.atomic import write_text
from phasemark.store.steps import MEASURED, step_of_file, steps_made_from

T = TypeVar("T")


class Folder:
    """Names of the files of one run.

    run.json holds one entry per step (`profile`, `phases`, `points` ...): what made its files.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __getitem__(self, name: str) -> Path:
        return self.path / name

    @property
    def profile(self) -> Path:
        """profile.h5"""
        return self["profile.h5"]

    @property
    def phases(self) -> Path:
        """phases.csv"""
        return self["phases.csv"]

    @property
    def model(self) -> Path:
        """model.h5"""
        return self["model.h5"]

    @property
    def stability(self) -> Path:
        """stability.csv"""
        return self["stability.csv"]

    @property
    def points(self) -> Path:
        """points.csv"""
        return self["points.csv"]

    @property
    def metrics(self) -> Path:
        """metrics.csv: counters of every interval."""
        return self["metrics.csv"]

    @property
    def point_metrics(self) -> Path:
        """point-metrics.csv: counters of the intervals that were simulated."""
        return self["point-metrics.csv"]

    @property
    def estimate(self) -> Path:
        """estimate.csv"""
        return self["estimate.csv"]

    @property
    def quality(self) -> Path:
        """quality.csv"""
        return self["quality.csv"]

    @property
    def quality_k(self) -> Path:
        """quality-k.csv: quality against the number of phases."""
        return self["quality-k.csv"]

    @property
    def report(self) -> Path:
        """report.html"""
        return self["report.html"]

    @property
    def raw(self) -> Path:
        """raw: the folder of what the collector writes while the program runs."""
        return self["raw"]

    @property
    def run_json(self) -> Path:
        """run.json"""
        return self["run.json"]

    def is_unfinished(self) -> bool:
        """Whether it is of a run that still goes on, or whose phasemark was killed."""
        try:
            return self.raw.is_dir() and self.state == "running"
        except DataError:
            return False

    def is_recorded(self) -> bool:
        """Whether its profile is of a program that phasemark ran, not of another file.

        Raises:
            DataError: run.json is damaged.
        """
        return isinstance(self.entry_of("profile").get("command"), list)

    def holds_run(self) -> bool:
        """Whether it holds files of a run."""
        return bool(self.made_from("profile")) or self.run_json.exists()

    def holds(self, step: str) -> bool:
        """Whether it holds a file of a step."""
        return any(step_of_file(path.name) == step for path in self.path.glob("*"))

    def create(self) -> Folder:
        """Make the folder, with its parents, and see that it can be written.

        Raises:
            WorkError: it cannot be made or written.
        """
        probe = self[".writable"]
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise WorkError(
                f"{self.path}: cannot be written: {error.strerror}", hint="choose another folder with -o"
            ) from error
        return self

    def made_from(self, step: str) -> list[Path]:
        """The files there are of a step and of those made from its files."""
        later = steps_made_from(step)
        return [path for path in sorted(self.path.glob("*")) if step_of_file(path.name) in later]

    def discard_from(self, step: str, keep: str | None = None) -> list[str]:
        """Remove the files and entries of a step done anew, and of those made from them: they would mislead.

        What another tool measured, which may have taken weeks, is set aside under its name and `~`.

        Args:
            step: which.
            keep: a later step whose own files and entry stay.

        Returns:
            What happened to the files of later steps, one phrase each.

        Raises:
            DataError: run.json is damaged.
        """
        with self.changed():
            entries = self.steps()
            # Files first: if this is cut short, the entries still tell which of them are dear.
            phrases = self._remove(step, keep, entries)
            if entries:
                gone = [name for name in steps_made_from(step) if name != keep]
                self._write({name: entry for name, entry in entries.items() if name not in gone})
        return phrases

    def _remove(self, step: str, keep: str | None, entries: Mapping[str, Mapping[str, Any]]) -> list[str]:
        phrases = []
        for path in self.made_from(step):
            of = step_of_file(path.name)
            if of is None or of == keep:
                continue
            if of == step:
                path.unlink(missing_ok=True)
            elif of in MEASURED and "files" in entries.get(of, {}):
                aside = _free(path)
                path.replace(aside)
                phrases.append(f"{path.name} is now {aside.name}")
            else:
                path.unlink(missing_ok=True)
                phrases.append(f"{path.name} is removed")
        return phrases

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from holding the folder at the same time; a process that dies lets go.

        Raises:
            WorkError: another one holds it.
        """
        handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise WorkError(
                f"{self.path}: another phasemark is at work in it",
                hint="wait for its end, or choose another folder with -o",
            ) from error
        except OSError:
            pass  # a file system without locks
        try:
            yield
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def changed(self) -> Iterator[None]:
        """Change files and run.json together: other threads and processes wait until it is done.

        Changes take moments, unlike what `held` keeps others from. It may be entered again within itself.

        Raises:
            WorkError: the folder cannot be written.
        """
        path = self.path.absolute() / ".changing"
        if path in _changing.paths:
            yield
            return
        handle = _lock(path)
        _changing.paths.add(path)
        try:
            yield
        finally:
            _changing.paths.discard(path)
            path.unlink(missing_ok=True)
            os.close(handle)

    def record(self, step: str, entry: dict[str, Any]) -> None:
        """Add or replace a step's entry in run.json.

        Raises:
            DataError: run.json is damaged.
            WorkError: it cannot be written.
        """
        with self.changed():
            self._write({**self.steps(), step: self._entry(entry)})

    def is_recorded_as(self, step: str, entry: dict[str, Any]) -> bool:
        """Whether a step's entry is this one, made by this phasemark.

        Raises:
            DataError: run.json is damaged.
        """
        return self.entry_of(step) == self._entry(entry)

    @staticmethod
    def _entry(values: dict[str, Any]) -> dict[str, Any]:
        """An entry as run.json holds it."""
        return dict(json.loads(json.dumps({"phasemark": __version__, **values})))

    def _write(self, entries: dict[str, Any]) -> None:
        write_text(self.run_json, json.dumps({"format": "phasemark-run", "steps": entries}, indent=2) + "\n")

    def steps(self) -> dict[str, dict[str, Any]]:
        """The entries of run.json: step -> what made its files; none where there is no run.json.

        Raises:
            DataError: it is damaged.
        """
        return read_steps(self.run_json) if self.run_json.exists() else {}

    def entry_of(self, step: str) -> dict[str, Any]:
        """A step's entry in run.json; empty where there is none.

        Raises:
            DataError: run.json is damaged.
        """
        return self.steps().get(step, {})

    @property
    def state(self) -> str:
        """Of the profile: `running`, `done` or `failed`; empty where phasemark did not record it.

        Raises:
            DataError: run.json is damaged.
        """
        return str(self.entry_of("profile").get("state", ""))

    @property
    def command(self) -> tuple[str, ...]:
        """The program that was recorded, with its arguments; empty where phasemark did not record it.

        Raises:
            DataError: run.json is damaged.
        """
        return tuple(map(str, self.entry_of("profile")["command"])) if self.is_recorded() else ()

    @property
    def cwd(self) -> Path | None:
        """The folder in which the program was started; None where that is not known.

        Raises:
            DataError: run.json is damaged.
        """
        cwd = self.entry_of("profile").get("cwd")
        return None if cwd is None else Path(str(cwd))

    @property
    def process(self) -> str | None:
        """The process that was analysed, as another run can be asked for it; None: the one with most to tell.

        A pid is another one in another run; the order in which processes begin is not.

        Raises:
            DataError: run.json is damaged.
        """
        entry = self.entry_of("profile")
        process = entry.get("process")
        if process is None:
            return None
        return str(entry.get("analysed", process)) if str(process).isdecimal() else str(process)

    def options_of(self, step: str, kind: type[T]) -> T:
        """The options a step was done with, as its entry says; those it does not tell have their defaults.

        Args:
            step: which.
            kind: a dataclass, every field with a default.

        Raises:
            DataError: run.json is damaged.
        """
        entry = self.entry_of(step)
        names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        return kind(**{name: entry[name] for name in names if name in entry})

    def configuration_of(self, step: str) -> dict[str, Any]:
        """Name and digest of the machine that a step simulated; empty where it simulated none.

        Raises:
            DataError: run.json is damaged.
        """
        configuration = self.entry_of(step).get("configuration") or {}
        if not isinstance(configuration, dict):
            raise DataError(
                f"tells no configuration of {step}", path=self.run_json, hint=f"take the step {step} again"
            )
        return dict(configuration)


class _Changing(threading.local):
    """The locks that this thread holds."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()


_changing = _Changing()


def _free(path: Path) -> Path:
    """Where a file is set aside: under its name and `~`, or one more where something is there already."""
    aside = Path(f"{path}~")
    while aside.exists():
        aside = Path(f"{aside}~")
    return aside


def _lock(path: Path) -> int:
    """An open lock file that is held; who holds it removes it, and whoever waited for it makes another."""
    while True:
        try:
            handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise WorkError(
                f"{path.parent}: cannot be written: {error.strerror}", hint="choose another folder with -o"
            ) from error
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            if os.fstat(handle).st_ino == path.stat().st_ino:
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)


def read_steps(path: str | Path) -> dict[str, dict[str, Any]]:
    """The entries of a run.json.

    Raises:
        DataError: it is no such file.
    """
    held = content(path, RECORD)
    try:
        entries = json.loads(held.decode("utf-8"))["steps"]
        return {str(step): dict(entry) for step, entry in entries.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"is no run.json of phasemark ({shown(str(error), 200)})",
            path=path,
            hint="remove it and run again",
        ) from error
