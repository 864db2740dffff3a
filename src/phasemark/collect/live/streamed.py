"""`perf record` beside a program, whose samples are read while they come.

perf is asked five times a second whether it is there (`ping`, of its control channel): then it wakes up and
writes what its buffers hold, be it a sample or a thousand. So nothing waits for a buffer to fill, as it would
in a program that sleeps most of the time, and perf need not wake up for each sample.
"""

from __future__ import annotations

import os
import resource
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fcntl import F_SETPIPE_SZ, fcntl
from signal import SIGINT
from typing import IO

from phasemark.errors import CollectorError, DataError, printable
from phasemark.formats.perf.data import environment
from phasemark.formats.perf.piped import Piped
from phasemark.formats.perf.rounds import Rounds, Told

#: What the pipe holds while nobody reads, bytes; what is more waits in perf's buffers.
_PIPE = 1 << 20

#: Bytes that are read at a time, and the most at once, so that other work is done between.
_PIECE, _MOST = 1 << 16, 1 << 22

#: Seconds in which perf attaches, and in which it ends.
_PATIENCE = 60
_ENDING = 10

#: Looks after perf's end until that is a fault: with the program it ends, too, and may be seen to end first.
_AFTERWARDS = 5

_LONGEST = 200


class Streamed:
    """perf, attached to a process and to all that it starts; a `Beside` of a program that is started.

    Args:
        perf: its path.
        options: of `perf record`: what is sampled, and how often.
    """

    def __init__(self, perf: str, options: Sequence[str]) -> None:
        self._command = [perf, "record", "-q", "-N", "-B", "--no-bpf-event", *options]
        self._stream, self._rounds = Piped(), Rounds()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._control = self._told = -1
        self._asked = False
        self._early = b""  # what came before perf said that it has begun
        self._fault = ""
        self._looks = 0

    def start(self, pid: int) -> None:
        """Attach to a process.

        Raises:
            CollectorError: perf cannot; says why in its words.
        """
        control, self._control = os.pipe()
        self._told, tells = os.pipe()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - until perf has ended
        options = ["-o", "-", "-p", str(pid), "-D", "-1", f"--control=fd:{control},{tells}"]
        try:
            self._process = subprocess.Popen(
                [*self._command, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=self._log, pass_fds=(control, tells), start_new_session=True, env=environment(),
            )  # fmt: skip
        except OSError as error:
            self._close()
            raise CollectorError(
                f"perf cannot be started: {error.strerror}", hint="see whether `perf --version` works"
            ) from error
        finally:
            os.close(control)
            os.close(tells)
        with suppress(OSError):  # a limit of the system's on what pipes hold
            fcntl(self._output, F_SETPIPE_SZ, _PIPE)
        os.set_blocking(self._output, False)
        with suppress(BrokenPipeError):  # it has ended already; why is read below
            os.write(self._control, b"enable\n")
        if not self._begins():
            said = self._said()
            self.stop()
            raise _refused(pid, said)

    @property
    def failure(self) -> str:
        """Why perf ended, or was ended, though the program goes on; empty: it did not."""
        return self._fault if self._looks > _AFTERWARDS else ""

    def read(self) -> Iterator[Told]:
        """What came since the last call, and have perf write what it holds."""
        if self._process is None:
            return
        if self._fault:
            self._looks += 1
            return
        early, self._early = self._early, b""
        yield from self._taken(early)
        read = 0
        while read < _MOST and (piece := self._piece()):
            read += len(piece)
            yield from self._taken(piece)
        if self._asked and self._acknowledged(0):
            self._asked = False
        if not self._asked:
            with suppress(BrokenPipeError):
                os.write(self._control, b"ping\n")
                self._asked = True

    def stop(self) -> None:
        """perf is told to end; what it still writes is for `rest`."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(SIGINT)

    def rest(self) -> Iterator[Told]:
        """Stop, and what perf wrote until its end; it is gone afterwards."""
        if self._process is None:
            return
        self.stop()
        try:
            yield from self._taken(self._early)
            deadline = time.monotonic() + _ENDING
            while (left := deadline - time.monotonic()) > 0:
                if not select.select([self._output], [], [], left)[0]:
                    continue
                if not (piece := self._piece()):
                    break
                if not self._fault:
                    yield from self._taken(piece)
            yield from self._rounds.rest()
        finally:
            self._end()

    def _taken(self, piece: bytes) -> Iterator[Told]:
        try:
            yield from self._rounds.take(self._stream.feed(piece))
        except DataError as error:
            self._fault, self._looks = error.reason, _AFTERWARDS
            self.stop()

    def _begins(self) -> bool:
        """Whether perf says that it has begun; of a process of many threads it first writes much of them."""
        deadline = time.monotonic() + _PATIENCE
        while (left := deadline - time.monotonic()) > 0 and not self._fault:
            ready = select.select([self._told, self._output], [], [], left)[0]
            if self._output in ready:
                self._early += self._piece()
            if self._told in ready:
                return self._acknowledged(0)
        return False

    def _piece(self) -> bytes:
        """What is there to read; nothing too where perf has ended, and then why is noted."""
        try:
            piece = os.read(self._output, _PIECE)
        except BlockingIOError:
            return b""
        if not piece and not self._fault:
            self._fault = self._said() or "it gave no reason"
        return piece

    def _end(self) -> None:
        assert self._process is not None
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close()

    def _close(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
        for number in (self._control, self._told):
            os.close(number)
        if self._log is not None:
            self._log.close()

    @property
    def _output(self) -> int:
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.fileno()

    def _acknowledged(self, seconds: float) -> bool:
        """Whether perf answers, and does not end instead."""
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        return bool(poll.poll(seconds * 1000)) and os.read(self._told, 256).startswith(b"ack")

    def _said(self) -> str:
        """The last that perf had to say, in a line."""
        assert self._log is not None
        text = os.pread(self._log.fileno(), 1 << 16, 0).decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("[")]
        return printable(lines[-1])[:_LONGEST] if lines else ""


def _refused(pid: int, said: str) -> CollectorError:
    """Why a process cannot be sampled, by what perf said last."""
    if "ulimit -n" in said or "too many open files" in said.lower():
        return CollectorError(
            f"process {pid} has too many threads: perf opens files for each, and more than the limit of "
            f"{resource.getrlimit(resource.RLIMIT_NOFILE)[1]:,} allows",
            hint="raise it, as root: ulimit -n 1000000; or start the program with `phasemark track --live`, "
            "for its threads then need none",
        )
    return CollectorError(
        f"perf cannot sample process {pid}: {said or 'it gave no reason'}",
        hint="see whether `perf record -e task-clock:u -p PID` works here",
    )
