"""`perf record` beside a program, whose samples are read while they come.

perf is asked five times a second whether it is there (`ping`, of its control channel): then it wakes up and
writes what its buffers hold, be it a sample or a thousand. So nothing waits for a buffer to fill, as it would
in a program that sleeps most of the time, and perf need not wake up for each sample.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence

from phasemark.collect.live import reach
from phasemark.collect.live.family import Family
from phasemark.collect.live.reach import Reach
from phasemark.collect.live.recorder import Recorder
from phasemark.errors import CollectorError, DataError
from phasemark.formats.perf.piped import Piped
from phasemark.formats.perf.rounds import Rounds, Told

#: Looks after perf's end until that is a fault: with the program it ends, too, and may be seen to end first.
_AFTERWARDS = 5


class Streamed:
    """perf, attached to a process and to all that it starts; a `Beside` of a program that is started.

    Args:
        perf: its path.
        options: of `perf record`: what is sampled, and how often.

    Attributes:
        note: what the user should know of how far it reaches; empty: nothing.
        killed: whether perf had to be, as it did not end.
    """

    def __init__(self, perf: str, options: Sequence[str]) -> None:
        self._command = [perf, "record", "-q", "-N", "-B", "--no-bpf-event", *options]
        self._stream, self._rounds = Piped(), Rounds()
        self._recorder: Recorder | None = None
        self._family: Family | None = None
        self._early = b""  # what came before perf said that it has begun
        self._damage = ""
        self._looks = 0
        self.note = ""
        self.killed = False

    def start(self, pid: int) -> None:
        """Attach to a process, or to what perf reaches of it.

        Raises:
            CollectorError: perf cannot; says why in its words.
        """
        said = self._attach(reach.whole(pid), pid)
        if _too_many(said):
            for other in reach.others(pid):
                if self._attach(other, pid) is None:
                    return
        if said is not None:
            raise _refused(pid, said)

    def _attach(self, to: Reach, pid: int) -> str | None:
        """None where perf has begun; else the last that it had to say."""
        recorder, said = Recorder([*self._command, *to.options]), ""
        try:
            if (early := recorder.begin()) is not None:
                self._recorder, self._early, self.note = recorder, early, to.note
                self._family = Family(pid) if to.machine else None
                return None
        finally:
            if self._recorder is None:
                said = recorder.give_up()
        return said

    @property
    def failure(self) -> str:
        """Why perf ended, or was ended, though the program goes on; empty: it did not."""
        return self._fault if self._looks > _AFTERWARDS else ""

    @property
    def _fault(self) -> str:
        return self._damage or (self._recorder.fault if self._recorder is not None else "")

    def read(self) -> Iterator[Told]:
        """What came since the last call, and have perf write what it holds."""
        if self._recorder is None:
            return
        if self._fault:
            self._looks += 1
            return
        early, self._early = self._early, b""
        yield from self._taken(early)
        for piece in self._recorder.there():
            yield from self._taken(piece)

    def stop(self) -> None:
        """perf is told to end; what it still writes is for `rest`."""
        if self._recorder is not None:
            self._recorder.stop()

    def rest(self) -> Iterator[Told]:
        """Stop, and what perf wrote until its end; it is gone afterwards."""
        if self._recorder is None:
            return
        self.stop()
        try:
            yield from self._taken(self._early)
            for piece in self._recorder.last():
                yield from self._taken(piece)
            yield from self._ours(self._rounds.rest())
        finally:
            self.killed = not self._recorder.end()
            self._recorder = None

    def _taken(self, piece: bytes) -> Iterator[Told]:
        if self._damage:
            return
        try:
            pieces = self._stream.feed(piece)
            yield from self._ours(self._rounds.take(pieces if self._family is None else Family.news(pieces)))
        except DataError as error:
            self._damage, self._looks = error.reason, _AFTERWARDS
            self.stop()

    def _ours(self, told: Iterator[Told]) -> Iterator[Told]:
        return told if self._family is None else self._family.of(told)


def _too_many(said: str | None) -> bool:
    """Whether perf says that it may not open as many files."""
    return said is not None and ("ulimit -n" in said or "too many open files" in said.lower())


def _refused(pid: int, said: str) -> CollectorError:
    """Why a process cannot be sampled, by what perf said last."""
    if _too_many(said):
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
