"""Running the program under its collector, as if the user had started it.

The program inherits standard output and error, every open file and the process group: the terminal's
keys (Ctrl-C, Ctrl-\\, Ctrl-Z) reach it as they would without us. Standard input and the working folder
are those that the caller names; ours stay as they are, so that it may be called from any thread.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from phasemark.collect.engines.protocol import Invocation
from phasemark.errors import CollectorError, UsageError

#: Sent by a terminal to all of the foreground group; the program has got them already.
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)

#: Sent to have a program end.
_ENDING = frozenset((*_FROM_TERMINAL, signal.SIGTERM, signal.SIGHUP))


@dataclass(frozen=True)
class Ended:
    """How a program ended.

    Attributes:
        status: its exit status as a shell tells it.
        cpu_seconds: its own and its children's.
        interrupted: a signal ended it, or was sent to end it, whatever it made of that.
    """

    status: int
    cpu_seconds: float
    interrupted: bool = False


def execute(
    invocation: Invocation,
    raw: Path,
    tick: Callable[[], None] | None = None,
    *,
    stdin: int | None = None,
) -> Ended:
    """Run a program under a collector that writes to the folder `raw`; see run.

    Raises:
        CollectorError: it cannot be executed.
    """
    for name, text in invocation.files.items():
        (raw / name).write_text(text, encoding="ascii")
    return run(
        invocation.command,
        cwd=invocation.cwd,
        stdin=stdin,
        environment=invocation.environment,
        tick=tick,
    )


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    stdin: int | None = None,
    environment: Mapping[str, str] | None = None,
    tick: Callable[[], None] | None = None,
    every: float = 0.5,
) -> Ended:
    """Run `command` to its end.

    Args:
        command: what to execute; no shell is involved.
        cwd: the folder that it starts in; None: ours.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.
        environment: of the program; ours if not given.
        tick: called about every `every` seconds while the program runs.

    Raises:
        CollectorError: it cannot be executed.
    """
    if any("\0" in word for word in command):
        raise UsageError("a word of the command holds a NUL", hint="no program can be given one")
    try:
        process = subprocess.Popen(
            command, stdin=_standard_input(stdin), cwd=cwd, close_fds=False, env=environment
        )
    except (OSError, UnicodeEncodeError) as error:
        raise CollectorError(
            f"{command[0]}: cannot be executed: {getattr(error, 'strerror', error)}",
            hint="install phasemark again",
        ) from error
    handle = os.pidfd_open(process.pid)
    try:
        with _signals_to(handle) as arrived:
            try:
                _wait(handle, tick, every)
            finally:
                ended = _reap(process, arrived)
    finally:
        os.close(handle)
    return ended


def _standard_input(stdin: int | None) -> int | None:
    """As Popen understands it; ours is inherited as it is, even where it is closed."""
    if stdin is None or stdin == 0:
        return subprocess.DEVNULL if stdin is None else None
    try:
        os.fstat(stdin)
    except (OSError, TypeError, OverflowError) as error:
        raise UsageError(
            f"stdin is {stdin!r}, no open file", hint="give its number: file.fileno()"
        ) from error
    return stdin


def _reap(process: subprocess.Popen[bytes], arrived: set[int]) -> Ended:
    """Wait for its end; what it used is its own, whatever other programs ended meanwhile."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    interrupted = process.returncode < 0 or not arrived.isdisjoint(_ENDING)
    return Ended(_shell_status(process.returncode), used.ru_utime + used.ru_stime, interrupted)


def _shell_status(returncode: int) -> int:
    """An exit status as a shell tells it: 128 + the signal's number for a program that a signal ended."""
    return returncode if returncode >= 0 else 128 - returncode


def _wait(handle: int, tick: Callable[[], None] | None, every: float) -> None:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    while not poll.poll(every * 1000 if tick else None):
        if tick:
            tick()


@contextmanager
def _signals_to(handle: int) -> Iterator[set[int]]:
    """While the program runs, signals are the program's affair; we stay to keep what was collected.

    Yields:
        The numbers of those that arrived, so far.
    """
    arrived: set[int] = set()
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def forward(number: int, _frame: object) -> None:
        arrived.add(number)
        if number not in _FROM_TERMINAL or not _in_foreground():
            with suppress(ProcessLookupError):  # it has just ended
                signal.pidfd_send_signal(handle, number)

    # What was ignored when we started (nohup, a background job) stays ignored, by us and the program.
    numbers = [n for n in (*_FROM_TERMINAL, *_FORWARDED) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {n: signal.signal(n, forward) for n in numbers}
    try:
        yield arrived
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
