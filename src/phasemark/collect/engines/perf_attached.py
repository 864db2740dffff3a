"""`perf record` beside a program, which is held until it is attached."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGINT

from phasemark.errors import CollectorError, printable
from phasemark.formats.perf.data import environment

DATA, LOG = "perf.data", "perf.log"

#: Seconds in which perf attaches; it takes hundredths of one.
_PATIENCE = 60

_LONGEST = 200


class Attached:
    """perf, attached to a process and to all that it starts.

    It is told to begin by a pipe, and says by another that it did. It is no child of the program, nor the
    program its child: signals, exit statuses and the environment are the program's alone.
    """

    def __init__(self, perf: str, options: Sequence[str], raw: Path) -> None:
        self._command = [perf, "record", "-q", "-N", "-B", "--no-bpf-event", *options]
        self._raw = raw
        self._process: subprocess.Popen[bytes] | None = None
        self._control = -1

    def start(self, pid: int) -> None:
        """Attach to a process that has not begun.

        Raises:
            CollectorError: perf cannot; says why in its words.
        """
        control, self._control = os.pipe()
        told, tells = os.pipe()
        options = ["-o", str(self._raw / DATA), "-p", str(pid), "-D", "-1", f"--control=fd:{control},{tells}"]
        try:
            with (self._raw / LOG).open("wb") as log:
                self._process = subprocess.Popen(
                    [*self._command, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    pass_fds=(control, tells), start_new_session=True, env=environment(),
                )  # fmt: skip
            os.close(tells)
            tells = -1
            os.write(self._control, b"enable\n")
            if not _said(told):
                raise CollectorError(
                    f"perf cannot sample the program: {said(self._raw) or 'it gave no reason'}",
                    hint="see whether `perf record -e task-clock:u true` works here",
                )
        finally:
            for number in (control, told, tells):
                if number >= 0:
                    os.close(number)

    def stop(self) -> None:
        """The program has ended: what perf holds is written; processes that live on are cut off here."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(SIGINT)
            self._process.wait()
        if self._control >= 0:
            os.close(self._control)
            self._control = -1


def said(raw: Path) -> str:
    """The last that perf had to say, in a line."""
    try:
        text = (raw / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("[")]
    return printable(lines[-1])[:_LONGEST] if lines else ""


def _said(told: int) -> bool:
    """Whether perf says that it has begun, and does not end instead."""
    poll = select.poll()
    poll.register(told, select.POLLIN)
    return bool(poll.poll(_PATIENCE * 1000)) and os.read(told, 16).startswith(b"ack")
