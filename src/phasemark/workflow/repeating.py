"""A program that was profiled, run once more: it is to do what it did."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from shlex import join, quote

from phasemark.collect import Cuts, Headway, Recording, Recut, Request, Until, ended_by_fault, recut
from phasemark.collect import record as record_program
from phasemark.errors import Interrupted, WorkError, named
from phasemark.model import Profile
from phasemark.model.trace import Trace
from phasemark.simulate.config import TimingConfig
from phasemark.store import events_h5
from phasemark.store.folder import Folder
from phasemark.symbols import rebuilt
from phasemark.workflow.reading import ALIKE
from phasemark.workflow.simulation import program_of
from phasemark.workflow.standard_input import StandardInput


@dataclass
class Repeated:
    """The program, to be run as often as it takes.

    Attributes:
        folder: of its run.
        before: the profile of it.
        request: what to run.
        stdin: what it reads, each time anew.
        watching: called about twice a second while it runs.
        cpu_seconds: that it took, all times together.
    """

    folder: Folder
    before: Profile
    request: Request
    stdin: StandardInput
    watching: Callable[[Headway], None] | None
    cpu_seconds: float = 0.0

    def recut(self, cuts: Cuts) -> Recut:
        """Cut into intervals.

        Raises:
            PhasemarkError: it cannot be run, or ended otherwise than when it was profiled.
        """
        made = recut(self._request, cuts, progress=self.watching, until=self.until)
        self._ended(made)
        return made

    def traced(self, out: Path) -> tuple[Profile, tuple[Trace, ...]]:
        """Record its events once more, to a folder of their own.

        Raises:
            PhasemarkError: as `recut`.
        """
        request = dataclasses.replace(self._request, timing=None, events=True)
        made = record_program(request, out, progress=self.watching)
        self._ended(made)
        return made.profile, events_h5.read(Folder(out).events)

    @property
    def until(self) -> Until | None:
        """Where a program is to end that somebody ended when it was profiled; None: it ended by itself."""
        entry = self.folder.entry_of("profile")
        status = int(entry.get("status", 0))
        if entry.get("complete", True) or ended_by_fault(status):
            return None
        images = [int(image.get("instructions", 0)) for image in entry.get("processes", ())]
        return Until(max(sum(images), self.before.instructions), status)

    @property
    def _request(self) -> Request:
        return dataclasses.replace(self.request, stdin=self.stdin.rewound())

    def _ended(self, made: Recut | Recording) -> None:
        self.cpu_seconds += made.cpu_seconds
        _require_same(self.folder, self.before, made, self.until)


def request_of(
    folder: Folder,
    before: Profile,
    command: Sequence[str],
    timing: TimingConfig | None,
    stdin: int | None,
) -> Request:
    """What to run: the program as it was profiled, or another command.

    Raises:
        PhasemarkError: as `simulation.program_of`.
    """
    program = program_of(folder, before, command, stdin)
    return Request(
        program.command,
        collector=str(folder.entry_of("profile").get("collector", "valgrind")),
        process=program.process,
        timing=None if timing is None else timing.flat(),
        memory=before.reuse is not None,
        smc_check=program.smc_check,
        cwd=program.cwd,
        stdin=program.stdin,
    )


def _require_same(folder: Folder, before: Profile, made: Recut | Recording, until: Until | None) -> None:
    """See that the program, run once more, did what it had done before, or nearly.

    Raises:
        Interrupted: it was.
        WorkError: it did not.
    """
    entry, now = folder.entry_of("profile"), made.profile.instructions
    # One that somebody ended has no status of its own.
    status = entry.get("status", 0) if until is None else made.status
    command = before.provenance.command or folder.command or made.analysed.command
    program = PurePath(command[0]).name
    again = join(["phasemark", "intervals", str(folder.path)])
    if made.interrupted and not (made.status == status and ended_by_fault(status)):
        raise Interrupted(
            f"{program}, run once more, was interrupted: the intervals of {folder.path} are as they were",
            status=made.status,
            hint=f"`{again}` does it anew",
        )
    if made.status != status:
        how = f"ended otherwise than when it was profiled: exit status {status} then, {made.status} now"
    elif not are_alike(now, before.instructions):
        how = f"did something else: {before.instructions:,} instructions when it was profiled, {now:,} now"
    else:
        return
    require_same_code(folder, before, made.profile)
    raise WorkError(
        f"{program}, run once more, {how}",
        hint="files that it made then may be in its way: remove them, or name a command that replaces them "
        f"({again} -- PROGRAM ...); of standard input that is a pipe, "
        "nothing is left for another run: redirect it from a file",
    )


def require_same_code(folder: Folder, before: Profile, now: Profile) -> None:
    """See that no module of the program was built anew: what was recorded is of other code then.

    Raises:
        WorkError: one was.
    """
    of_before, of_now = (made.provenance.details.get("build_ids", {}) for made in (before, now))
    if changed := rebuilt(of_before, of_now):
        raise WorkError(
            f"the code of {named(changed)} is not what it was when the program was profiled",
            hint=f"profile it again: phasemark profile --events -o {quote(str(folder.path))} -- PROGRAM ...",
        )


def are_alike(one: int, other: int) -> bool:
    """Whether runs of so many instructions may have done the same."""
    return abs(one - other) <= ALIKE * max(one, other)
