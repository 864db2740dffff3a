"""A run's folder: its files, and run.json, which says how they came about.

Nobody else looks into run.json: what a step needs to know of another it asks here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from phasemark.errors import DataError, WorkError
from phasemark.store import changing, holding, leftovers
from phasemark.store.layout import Layout
from phasemark.store.record import entry_as_kept, read_files, read_steps
from phasemark.store.steps import step_of_file, steps_made_from

if TYPE_CHECKING:
    from phasemark.model import AnalysedProcess
    from phasemark.store.change import Change

T = TypeVar("T")

#: How long renaming some files takes, in seconds.
_MOMENT = 0.005


class Folder(Layout):
    """The files of one run, and what made them.

    run.json holds one entry per step (`profile`, `phases`, `points` ...): what made its files.

    Raises:
        WorkError: the path is none; nothing need be there.
    """

    @property
    def recording(self) -> Folder:
        """recording: the folder of a run that is to take this one's place, while its program runs."""
        return Folder(self["recording"])

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

    def holds_result(self) -> bool:
        """Whether it holds files of a run that is done, or what was measured of one.

        Raises:
            DataError: run.json is damaged.
        """
        return bool(self.made_from("profile")) and self.state not in ("running", "failed")

    def holds(self, step: str) -> bool:
        """Whether it holds a file of a step."""
        return any(step_of_file(path.name) == step for path in self.path.glob("*"))

    def create(self) -> Folder:
        """Make the folder, with its parents, and see that it can be written.

        Raises:
            WorkError: it cannot be made or written.
        """
        probe = leftovers.name_for(self["writable"])
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe.touch()
            probe.unlink()
        except OSError as error:
            why = f"cannot be written: {error.strerror}"
            if isinstance(error, FileExistsError | NotADirectoryError):
                why = "is no folder, or within a file"
            raise WorkError(f"{self.path}: {why}", hint="choose another folder with -o") from error
        return self

    def made_from(self, step: str) -> list[Path]:
        """The files there are of a step and of those made from its files."""
        later = steps_made_from(step)
        return [path for path in sorted(self.path.glob("*")) if step_of_file(path.name) in later]

    def discard_from(self, step: str, keep: str | None = None) -> list[str]:
        """Remove the files and entries of a step, and of those made from them; see Change.discard_from.

        Returns:
            What happened to the files, one phrase each.

        Raises:
            DataError: run.json is damaged.
            WorkError: the folder cannot be written, or another command is at work in it.
        """
        with self.change(step) as new:
            new.discard_from(step, keep)
        return new.discarded

    @contextlib.contextmanager
    def held(self, command: str, *, takes_long: bool = False) -> Iterator[None]:
        """Keep other commands from working in the folder; a process that dies lets go.

        Whoever comes second waits, but not for a command that may take hours. It may be entered again within
        itself. What a killed process left is done with first.

        Args:
            command: what is done, for others to read: `phases`, `simulate` ...
            takes_long: it may take hours.

        Raises:
            WorkError: another command is at work in it for long, or the folder cannot be written.
        """
        with holding.hold(self.path, command, takes_long=takes_long) as anew:
            if anew:
                changing.finish(self.path)
                leftovers.sweep(self.path)
            yield

    @contextlib.contextmanager
    def change(self, command: str, ours: Callable[[Path], bool] | None = None) -> Iterator[Change]:
        """Change files and run.json together: when all is done, all at once; else nothing changes.

        Args:
            command: see `held`, which this does.
            ours: whether a file that nothing in run.json tells of may be replaced; None: it is set aside.

        Yields:
            A folder for the new files, which tells in the end what was discarded.

        Raises:
            DataError: run.json is damaged.
            WorkError: the folder cannot be written, or another command is at work in it.
        """
        from phasemark.store.change import Change

        with self.held(command), changing.staging(self.path) as place:
            new = Change(self.path, place, ours)
            yield new
            new.commit(self.steps(), self.files())

    def steady(self, look: Callable[[], T]) -> T:
        """What `look` reads of the files, all of one state of the folder, whoever changes it meanwhile.

        Raises:
            WorkError: a change was cut short, and the folder cannot be written to end it.
        """
        if holding.is_held_here(self.path):
            return look()
        while True:
            self._settle()
            before = self._state()
            try:
                value = look()
            except Exception:
                if self._state() == before:
                    raise
                continue
            if self._state() == before:
                return value

    def _settle(self) -> None:
        """Wait until no change is under way; end one that was cut short."""
        while changing.is_under_way(self.path):
            try:
                with holding.hold(self.path, "reading", waits=False):
                    changing.finish(self.path)
            except holding.Busy:
                time.sleep(_MOMENT)
            except WorkError as error:
                raise WorkError(
                    f"{self.path}: a change of its files was cut short, and cannot be ended here",
                    hint="read it once where it can be written",
                ) from error

    def _state(self) -> object:
        """What every change changes."""
        if changing.is_under_way(self.path):
            return object()
        try:
            status = self.run_json.stat()
        except (OSError, ValueError):
            return None
        return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size

    def record(self, step: str, entry: dict[str, Any]) -> None:
        """Add or replace a step's entry in run.json.

        Raises:
            DataError: run.json is damaged.
            WorkError: it cannot be written, or another command is at work in the folder.
        """
        with self.change(step) as new:
            new.record(step, entry)

    def is_recorded_as(self, step: str, entry: dict[str, Any]) -> bool:
        """Whether a step's entry is this one, made by this phasemark.

        Raises:
            DataError: run.json is damaged.
        """
        return self.entry_of(step) == entry_as_kept(entry)

    def steps(self) -> dict[str, dict[str, Any]]:
        """The entries of run.json: step -> what made its files; none where there is no run.json.

        Raises:
            DataError: it is damaged.
        """
        return read_steps(self.run_json) if self.run_json.exists() else {}

    def files(self) -> dict[str, int]:
        """The files that run.json tells of, with their sizes in bytes.

        Raises:
            DataError: it is damaged.
        """
        return read_files(self.run_json) if self.run_json.exists() else {}

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
    def instructions(self) -> int:
        """Of all processes of the program that was recorded; 0 where that is not known.

        Raises:
            DataError: run.json is damaged.
        """
        processes = self.entry_of("profile").get("processes", [])
        told = [process.get("instructions") for process in processes if isinstance(process, dict)]
        return sum(one for one in told if isinstance(one, int))

    @property
    def length_unit(self) -> str:
        """What lengths of its intervals are in, as run.json says: `instructions`, of samples perhaps another.

        Raises:
            DataError: run.json is damaged.
        """
        return str(self.entry_of("profile").get("length_unit", "instructions"))

    @property
    def analysed(self) -> AnalysedProcess | None:
        """The process that the profile is of, among several; None of a single one, or where it is not known.

        Raises:
            DataError: run.json is damaged.
        """
        from phasemark.model import AnalysedProcess

        entry, whole = self.entry_of("profile"), self.instructions
        processes = [one for one in entry.get("processes", []) if isinstance(one, dict)]
        if len(processes) > 1 and entry.get("analysed") == 0:
            many = max(1, sum(one.get("origin") != "exec" for one in processes))
            return AnalysedProcess(0, many, str(processes[0].get("program", "?")), 1.0)
        own = [one for one in processes if one.get("number") == entry.get("analysed")]
        if len(processes) < 2 or len(own) != 1 or not whole:
            return None
        try:
            number, instructions = int(own[0]["number"]), int(own[0].get("instructions") or 0)
            program = str(own[0].get("program", "?"))
            return AnalysedProcess(number, len(processes), program, instructions / whole)
        except (TypeError, ValueError) as error:  # a DataError is one
            raise DataError(
                "says of the analysed process what cannot be",
                path=self.run_json,
                hint="profile the run again",
            ) from error

    @property
    def smc_check(self) -> str | None:
        """What --smc-check said when the run was profiled; None: nothing.

        Raises:
            DataError: run.json is damaged.
        """
        check = self.entry_of("profile").get("smc_check")
        return None if check is None else str(check)

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
