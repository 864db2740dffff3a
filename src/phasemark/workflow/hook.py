"""A command that is run when something happens, beside work that must not wait for it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress

from phasemark.errors import printable

#: Seconds that the last one has to end by itself, and again once it was told to.
_PATIENCE = 5.0

#: Failures that are said; of those after them how many.
_SAID = 3


class Hook:
    """Runs a command with /bin/sh, one at a time.

    What happens while one runs is kept until it has ended, the latest of it alone. It is in a process group
    of its own, with nothing to read, and its output goes to standard error.

    Args:
        command: as a shell has it.
        tell: is told, in a sentence, of failures.

    Attributes:
        runs, failures, passed_over: how many there were; the last: of what happened meanwhile.
    """

    def __init__(self, command: str, tell: Callable[[str], None]) -> None:
        self._command, self._tell = command, tell
        self._process: subprocess.Popen[bytes] | None = None
        self._next: Mapping[str, str] | None = None
        self.runs = self.failures = self.passed_over = 0

    def call(self, variables: Mapping[str, str]) -> None:
        """Something has happened.

        Args:
            variables: of the command's environment, beside ours.
        """
        self.passed_over += self._next is not None
        self._next = variables
        self.look()

    def look(self) -> None:
        """See whether one has ended, and whether another is to begin; does not wait."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._ended(self._process.returncode)
        if self._next is not None:
            variables, self._next = self._next, None
            self._start(variables)

    def end(self) -> None:
        """No more is to come: what waits is run, and what does not end is ended."""
        self.look()
        while self._process is not None:
            for number in (0, signal.SIGTERM, signal.SIGKILL):
                if number:
                    with suppress(ProcessLookupError):
                        os.killpg(self._process.pid, number)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_PATIENCE)
                    break
            else:
                return  # it cannot be killed: it waits for a disk, and ends when that answers
            self.look()

    def _start(self, variables: Mapping[str, str]) -> None:
        clean = {name: value.replace("\0", "") for name, value in variables.items()}
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", self._command], stdin=subprocess.DEVNULL, stdout=2,
                env={**os.environ, **clean}, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self._failed(str(getattr(error, "strerror", error)))
        else:
            self.runs += 1

    def _ended(self, status: int) -> None:
        self._process = None
        if status:
            self._failed(f"it was ended by signal {-status}" if status < 0 else f"exit status {status}")

    def _failed(self, why: str) -> None:
        self.failures += 1
        if self.failures <= _SAID:
            self._tell(f"--on-change {printable(self._command)[:60]!r} failed: {why}")
