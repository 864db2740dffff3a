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
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from phasemark.collect import environment as environments
from phasemark.collect.engines.protocol import Beside, Invocation
from phasemark.errors import CollectorError, UsageError

#: Sent by a terminal to all of the foreground group; the program has got them already.
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)

#: Sent to have a program end.
_ENDING = frozenset((*_FROM_TERMINAL, signal.SIGTERM, signal.SIGHUP))


#: Seconds between two calls, unless told otherwise.
_EVERY = 0.5

#: Called while a program runs; gives a signal to send to it, or None.
Tick = Callable[[], signal.Signals | None]


@dataclass(frozen=True)
class Reading:
    """What is read while a program runs.

    Attributes:
        number: of the open file.
        take: called when there is something to read; whether there may be more.
    """

    number: int
    take: Callable[[], bool]


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
    tick: Tick | None = None,
    *,
    stdin: int | None = None,
    every: float = _EVERY,
    reading: Reading | None = None,
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
        every=every,
        beside=invocation.beside,
        reading=reading,
    )


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    stdin: int | None = None,
    environment: Mapping[str, str] | None = None,
    tick: Tick | None = None,
    every: float = _EVERY,
    beside: Beside | None = None,
    reading: Reading | None = None,
) -> Ended:
    """Run `command` to its end.

    Args:
        command: what to execute; no shell is involved.
        cwd: the folder that it starts in; None: ours.
        stdin: the open file that is its standard input, by number; 0: ours; None: there is nothing to read.
        environment: of the program; None: the one that we were started with.
        tick: called about every `every` seconds while the program runs; a signal that it gives is sent.
        beside: what is started once the command has stopped itself, and stopped once it has ended.
        reading: what is read while it runs.

    Raises:
        CollectorError: it cannot be executed.
    """
    if any("\0" in word for word in command):
        raise UsageError("a word of the command holds a NUL", hint="no program can be given one")
    given = _standard_input(stdin)
    if environment is None:
        environment = environments.given()
    with _passing_on() as signals:
        try:
            process = subprocess.Popen(command, stdin=given, cwd=cwd, close_fds=False, env=environment)
        except (OSError, UnicodeEncodeError) as error:
            raise CollectorError(
                f"{command[0]}: cannot be executed: {getattr(error, 'strerror', error)}",
                hint="install phasemark again",
            ) from error
        handle = os.pidfd_open(process.pid)
        try:
            signals.to(handle)
            if beside is not None:
                _start(beside, process.pid, handle)
            _wait(handle, tick, every, reading)
        finally:
            _, status, used = os.wait4(process.pid, 0)  # its own, whatever other programs ended meanwhile
            process.returncode = os.waitstatus_to_exitcode(status)
            signals.to(None)
            os.close(handle)
            if beside is not None:
                beside.stop()
    interrupted = process.returncode < 0 or not signals.arrived.isdisjoint(_ENDING)
    return Ended(_shell_status(process.returncode), used.ru_utime + used.ru_stime, interrupted)


def _start(beside: Beside, pid: int, handle: int) -> None:
    """Start what runs beside a command that stops itself, then let it go on; it ends where that fails."""
    os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    try:
        beside.start(pid)
    except BaseException:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        raise
    with suppress(ProcessLookupError):  # it was killed meanwhile
        signal.pidfd_send_signal(handle, signal.SIGCONT)


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


def _shell_status(returncode: int) -> int:
    """An exit status as a shell tells it: 128 + the signal's number for a program that a signal ended."""
    return returncode if returncode >= 0 else 128 - returncode


def _wait(handle: int, tick: Tick | None, every: float, reading: Reading | None) -> None:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    if reading is not None:
        poll.register(reading.number, select.POLLIN)
    due = time.monotonic() + every
    while True:
        left = max(due - time.monotonic(), 0) * 1000 if tick else None
        found = [number for number, _ in poll.poll(left)]
        if reading is not None and reading.number in found and not reading.take():
            poll.unregister(reading.number)
            reading = None
        if handle in found:
            return
        if tick and time.monotonic() >= due:
            _ask(tick, handle)
            due = time.monotonic() + every


def _ask(tick: Tick, handle: int) -> None:
    if (number := tick()) is not None:
        with suppress(ProcessLookupError):  # it has just ended
            signal.pidfd_send_signal(handle, number)


class _Signals:
    """What becomes of signals to us while a program is started, runs, and has ended.

    Attributes:
        arrived: their numbers so far.
    """

    def __init__(self) -> None:
        self.arrived: set[int] = set()
        self._program: int | None = None
        self._early: list[int] = []

    def to(self, program: int | None) -> None:
        """Pass them on from now on to a program, by its descriptor, with those that came while it started."""
        self._program = program
        while self._early and program is not None:
            # Who was started before Ctrl-C got it from the terminal, too, but nobody can tell.
            self._pass_on(program, self._early.pop(0))

    def handle(self, number: int, _frame: object) -> None:
        """As Python calls it for a signal."""
        self.arrived.add(number)
        if self._program is None:
            self._early.append(number)
        elif number not in _FROM_TERMINAL or not _in_foreground():
            self._pass_on(self._program, number)

    @staticmethod
    def _pass_on(program: int, number: int) -> None:
        with suppress(ProcessLookupError):  # it has just ended
            signal.pidfd_send_signal(program, number)


@contextmanager
def _passing_on() -> Iterator[_Signals]:
    """From before it is started until it has ended, signals are the program's affair.

    We stay to keep what was collected. In another thread than the main one signals are nobody's affair.
    """
    signals = _Signals()
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    # What was ignored when we started (nohup, a background job) stays ignored, by us and the program.
    numbers = [n for n in (*_FROM_TERMINAL, *_FORWARDED) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {n: signal.signal(n, signals.handle) for n in numbers}
    try:
        yield signals
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
