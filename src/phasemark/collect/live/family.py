"""Of all that a machine runs: a process, and those that it starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from phasemark.formats.perf.lines import Lost, Mapping, Name, Task
from phasemark.formats.perf.piped import At, Batch, Piece
from phasemark.formats.perf.rounds import Told


class Family:
    """Passes over what is of other processes.

    Args:
        pid: of the process; those that it started before perf began are others.
    """

    def __init__(self, pid: int) -> None:
        self._first = pid
        self._threads = {pid: 1}  # of each process; of the first, whoever follows it knows when it ends

    @staticmethod
    def news(pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Without the processes that were there already, which perf tells as if they began."""
        for piece in pieces:
            if not (isinstance(piece, At) and piece.time == 0 and _is_process(piece.record)):
                yield piece

    def of(self, told: Iterable[Told]) -> Iterator[Told]:
        """What is ours, of what comes in the order of time; losses are anybody's."""
        for one in told:
            match one:
                case Batch():
                    ours = one.of(np.isin(one.pid, list(self._threads)))
                    if len(ours):
                        yield ours
                case Lost():
                    yield one
                case Task():
                    if self._concerns(one):
                        yield one
                case Mapping() | Name():
                    if one.pid in self._threads:
                        yield one

    def _concerns(self, task: Task) -> bool:
        if task.begins and task.parent in self._threads:
            self._threads[task.pid] = self._threads.get(task.pid, 0) + 1
        ours = task.pid in self._threads
        if ours and not task.begins and task.pid != self._first:
            self._threads[task.pid] -= 1
            if not self._threads[task.pid]:
                del self._threads[task.pid]
        return ours


def _is_process(record: object) -> bool:
    return isinstance(record, Task) and record.pid != record.parent
