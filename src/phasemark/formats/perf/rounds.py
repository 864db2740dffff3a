"""Samples and records of several processors' buffers, in the order of their times, while they come.

perf reads the buffers one after the other, round by round, so what happened later may come first. What is
later than all of the round before can still have something before it in the next, and is kept until that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from phasemark.formats.perf.lines import Lost, Mapping, Name, Task
from phasemark.formats.perf.piped import At, Batch, Piece, Round

#: What comes out.
Told = Batch | Mapping | Task | Name | Lost

#: Samples and records that are kept at most; where perf tells of no round, order is less than memory.
_MOST = 1 << 18


class Rounds:
    """Puts pieces in order; holds what came in about two rounds."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._records: list[At] = []
        self._held = 0
        self._latest = self._before = 0  # time: of all, and of all up to the last round

    def take(self, pieces: Iterable[Piece]) -> Iterator[Told]:
        """What can be told once these have come."""
        for piece in pieces:
            match piece:
                case Batch():
                    self._batches.append(piece)
                    self._held += len(piece)
                    self._latest = max(self._latest, int(piece.time.max(initial=0)))
                case At():
                    self._records.append(piece)
                    self._held += 1
                    self._latest = max(self._latest, piece.time)
                case Round():
                    yield from self._up_to(self._before)
                    self._before = self._latest
            if self._held > _MOST:
                yield from self.rest()

    def rest(self) -> Iterator[Told]:
        """All that is held."""
        yield from self._up_to(self._latest)

    def _up_to(self, time: int) -> Iterator[Told]:
        """What is no later, in order; of equal times records first."""
        samples = _joined(self._batches)
        ready = samples.time <= time
        later = samples.of(~ready)
        samples = samples.of(ready)
        records = sorted((one for one in self._records if one.time <= time), key=lambda one: one.time)
        self._batches = [later] if len(later) else []
        self._records = [one for one in self._records if one.time > time]
        self._held = len(later) + len(self._records)
        at = 0
        for one in records:
            end = int(np.searchsorted(samples.time, one.time))
            if end > at:
                yield samples.of(slice(at, end))
            yield one.record
            at = max(at, end)
        if at < len(samples):
            yield samples.of(slice(at, None))


def _joined(batches: list[Batch]) -> Batch:
    """All samples in the order of their times."""
    if not batches:
        none = np.empty(0, np.int64)
        return Batch(none, none.astype(np.uint64), none, none)
    columns = (np.concatenate([getattr(batch, name) for batch in batches]) for name in Batch.COLUMNS)
    joined = Batch(*columns)
    return joined.of(np.argsort(joined.time, kind="stable"))
