"""One `perf record -o -`: its output, and its control channel."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fcntl import F_SETPIPE_SZ, fcntl
from signal import SIGINT

from phasemark.errors import CollectorError, printable
from phasemark.formats.perf.data import environment

#: What the pipe holds while nobody reads, bytes; what is more waits in perf's buffers.
_PIPE = 1 << 20

#: Bytes that are read at a time, and the most at once, so that other work is done between.
_PIECE, _MOST = 1 << 16, 1 << 22

#: Seconds in which perf attaches, in which it is gone once its output is, and in which it ends.
_PATIENCE = 60
_PROMPTLY = 1
_ENDING = 10

_LONGEST = 200


class Recorder:
    """perf, from its start to its end; `end` must follow.

    Args:
        command: `perf record` with what is sampled, and of what.

    Attributes:
        fault: why it ended by itself, as far as is known; empty: it did not.

    Raises:
        CollectorError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.fault = ""
        self._asked = False
        control, self._control = os.pipe()
        self._told, tells = os.pipe()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - until it has ended
        options = ["-o", "-", "-D", "-1", f"--control=fd:{control},{tells}"]
        try:
            self._process = subprocess.Popen(
                [*command, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log,
                pass_fds=(control, tells), start_new_session=True, env=environment(),
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

    def begin(self) -> bytes | None:
        """Have it begin; what it wrote before it said so, of many threads much. None: it did not begin."""
        with suppress(BrokenPipeError):  # it has ended already; why is read below
            os.write(self._control, b"enable\n")
        early = b""
        deadline = time.monotonic() + _PATIENCE
        while (left := deadline - time.monotonic()) > 0 and not self.fault:
            ready = select.select([self._told, self._output], [], [], left)[0]
            if self._output in ready:
                early += self._piece()
            if self._told in ready:
                return early if self._acknowledged() else None
        return None

    def there(self) -> Iterator[bytes]:
        """What it has written, and have it write what it holds."""
        read = 0
        while read < _MOST and (piece := self._piece()):
            read += len(piece)
            yield piece
        if self._asked and self._acknowledged():
            self._asked = False
        if not self._asked:
            with suppress(BrokenPipeError):
                os.write(self._control, b"ping\n")
                self._asked = True

    def stop(self) -> None:
        """Tell it to end."""
        with suppress(ProcessLookupError):
            self._process.send_signal(SIGINT)

    def last(self) -> Iterator[bytes]:
        """What it writes until its end, once it was told to."""
        deadline = time.monotonic() + _ENDING
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self._output], [], [], left)[0]:
                continue
            if not (piece := self._piece()):
                return
            yield piece

    def end(self) -> bool:
        """See that it has ended, and is gone; whether it did so by itself."""
        killed = False
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            killed = True
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._close()
        return not killed

    def give_up(self) -> str:
        """End it where it did not begin; the last that it had to say."""
        self.stop()
        for _ in self.last():
            pass
        said = self._said()
        self.end()
        return said

    def _said(self) -> str:
        """The last that it had to say, in a line."""
        text = os.pread(self._log.fileno(), 1 << 16, 0).decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("[")]
        return printable(lines[-1])[:_LONGEST] if lines else ""

    @property
    def _output(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def _piece(self) -> bytes:
        """What is there to read; nothing too where it has ended, and then why is noted."""
        try:
            piece = os.read(self._output, _PIECE)
        except BlockingIOError:
            return b""
        if not piece and not self.fault:
            self.fault = self._said() or self._signal() or "it gave no reason"
        return piece

    def _signal(self) -> str:
        """The signal that ended it; empty: none did, or it takes its time."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_PROMPTLY)
            return f"it was ended by signal {-status}" if status < 0 else ""
        return ""

    def _acknowledged(self) -> bool:
        """Whether it answers, and does not end instead."""
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        return bool(poll.poll(0)) and os.read(self._told, 256).startswith(b"ack")

    def _close(self) -> None:
        for number in (self._control, self._told):
            os.close(number)
        self._log.close()
