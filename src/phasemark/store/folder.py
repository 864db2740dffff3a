"""A run's folder: which file is called what, and run.json."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasemark._version import __version__
from phasemark.errors import DataError, WorkError
from phasemark.store.atomic import write_text

# SimPoint's files: one set a thread where there are several, a second pair where coverage is asked for.
_PER_THREAD = r"(\.r\d+)?(\.t\d+)?(\.lpt[\d.e-]+)?"


@dataclass(frozen=True)
class _Step:
    """What a step writes, and the steps whose files it was made from."""

    files: str
    of: tuple[str, ...] = ()


_STEPS = {
    "profile": _Step(r"profile\.h5"),
    "metrics": _Step(r"metrics\.csv", ("profile",)),
    "stability": _Step(r"stability\.csv", ("profile",)),
    "phases": _Step(rf"phases\.csv|model\.h5|labels{_PER_THREAD}", ("profile",)),
    "points": _Step(rf"points\.csv|(simpoints|weights){_PER_THREAD}", ("phases",)),
    "simulation": _Step(r"point-metrics\.csv", ("points",)),
    "estimate": _Step(r"estimate\.csv", ("points", "simulation", "metrics")),
    "quality": _Step(r"quality(-k)?\.csv", ("phases", "metrics")),
    "report": _Step(r"report\.html", ("profile", "phases", "points", "metrics", "simulation")),
}


#: Steps whose files may have been imported.
_MEASURED = ("metrics", "simulation")


def _made_from(step: str) -> list[str]:
    """The step and all that were made from its files, in order."""
    found = {step}
    for name, what in _STEPS.items():
        if found & set(what.of):
            found.add(name)
    return [name for name in _STEPS if name in found]


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

    def is_unfinished(self) -> bool:
        """Whether it is of a run that still goes on, or whose phasemark was killed."""
        if not self["raw"].is_dir():
            return False
        try:
            return bool(self.steps().get("profile", {}).get("state") == "running")
        except DataError:
            return False

    def holds_run(self) -> bool:
        """Whether it holds files of a run."""
        return bool(self.made_from("profile")) or self["run.json"].exists()

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
        later = re.compile("|".join(f"({_STEPS[name].files})" for name in _made_from(step)))
        return [path for path in sorted(self.path.glob("*")) if later.fullmatch(path.name)]

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
        entries = self.steps() if self["run.json"].exists() else {}
        if entries:
            gone = [name for name in _made_from(step) if name != keep]
            self._write({name: entry for name, entry in entries.items() if name not in gone})
        said = []
        for path in self.made_from(step):
            of = next(name for name in _made_from(step) if re.fullmatch(_STEPS[name].files, path.name))
            if of == keep:
                continue
            if of == step:
                path.unlink(missing_ok=True)
            elif of in _MEASURED and "files" in entries.get(of, {}):
                path.replace(f"{path}~")
                said.append(f"{path.name} is now {path.name}~")
            else:
                path.unlink(missing_ok=True)
                said.append(f"{path.name} is removed")
        return said

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

    def record(self, step: str, entry: dict[str, Any]) -> None:
        """Add or replace a step's entry in run.json."""
        steps = self.steps() if self["run.json"].exists() else {}
        self._write({**steps, step: self.entry(entry)})

    @staticmethod
    def entry(said: dict[str, Any]) -> dict[str, Any]:
        """An entry as run.json holds it."""
        return dict(json.loads(json.dumps({"phasemark": __version__, **said})))

    def _write(self, steps: dict[str, Any]) -> None:
        write_text(self["run.json"], json.dumps({"format": "phasemark-run", "steps": steps}, indent=2) + "\n")

    def steps(self) -> dict[str, Any]:
        """The entries of run.json.

        Raises:
            DataError: it is no such file.
        """
        path = self["run.json"]
        try:
            steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
            return {str(step): dict(entry) for step, entry in steps.items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise DataError(
                f"is no run.json of phasemark ({error})", path=path, hint="remove it and run again"
            ) from error
