"""Running the program under its collector, as if the user had started it.

The program inherits standard input, output and error, the working folder, every open file and the
process group: the terminal's keys (Ctrl-C, Ctrl-\\, Ctrl-Z) reach it as they would without us.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from phasemark.collect.engines.protocol import Invocation
from phasemark.errors import CollectorError

#: Sent by a terminal to all of the foreground group; the program has got them already.
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit status as a shell tells it, and CPU seconds with its children."""

    status: int
    cpu_seconds: float


def execute(invocation: Invocation, raw: Path, tick: Callable[[], None] | None = None) -> Ended:
    """Run a program under a collector that writes to the folder `raw`; see running.run.

    Raises:
        CollectorError: it cannot be executed.
    """
    for name, text in invocation.files.items():
        (raw / name).write_text(text, encoding="ascii")
    before = _cpu_seconds_of_children()
    status = run(invocation.command, environment=invocation.environment, tick=tick)
    return Ended(shell_status(status), _cpu_seconds_of_children() - before)


def _cpu_seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    tick: Callable[[], None] | None = None,
    every: float = 0.5,
) -> int:
    """Run `command` to its end.

    Args:
        command: what to execute; no shell is involved.
        environment: of the program; ours if not given.
        tick: called about every `every` seconds while the program runs.

    Returns:
        Its exit status; minus the signal's number if a signal ended it.

    Raises:
        CollectorError: it cannot be executed.
    """
    try:
        process = subprocess.Popen(command, close_fds=False, env=environment)
    except OSError as error:
        raise CollectorError(
            f"{command[0]}: cannot be executed: {error.strerror}", hint="install phasemark again"
        ) from error
    with _signals_to(process):
        try:
            _wait(process, tick, every)
        finally:
            returncode = process.wait()
    return returncode


def shell_status(returncode: int) -> int:
    """An exit status as a shell tells it: 128 + the signal's number for a program that a signal ended."""
    return returncode if returncode >= 0 else 128 - returncode


def _wait(process: subprocess.Popen[bytes], tick: Callable[[], None] | None, every: float) -> None:
    ended = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(ended, select.POLLIN)
        while not poll.poll(every * 1000 if tick else None):
            if tick:
                tick()
    finally:
        os.close(ended)


@contextmanager
def _signals_to(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While the program runs, signals are the program's affair; we stay to keep what was collected."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def forward(number: int, _frame: object) -> None:
        if number not in _FROM_TERMINAL or not _in_foreground():
            process.send_signal(number)

    # What was ignored when we started (nohup, a background job) stays ignored, by us and the program.
    numbers = [n for n in (*_FROM_TERMINAL, *_FORWARDED) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {n: signal.signal(n, forward) for n in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _in_foreground() -> bool:
    """Whether our group is the one that the controlling terminal sends its signals to."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
