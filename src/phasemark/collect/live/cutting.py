"""Samples of all threads and processes of a program, in the order of time -> intervals, as they come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.live.places import Code
from phasemark.formats.perf.piped import Batch

#: Nanoseconds by which samples of one program may be out of order.
_DISORDER = 10**9


@dataclass(slots=True)
class Stretch:
    """An interval, or what there is of one.

    Attributes:
        began, ended: nanoseconds of perf's clock; of its first sample's stretch, and of its last sample.
        length: in units of the event.
        samples: how many.
        codes: how much of the length each code has.
    """

    began: int = 0
    ended: int = 0
    length: int = 0
    samples: int = 0
    codes: dict[Code, int] = field(default_factory=dict)


class Clock:
    """A clock that never runs back: where one that it is told does, it goes on from where it was."""

    def __init__(self) -> None:
        self._shift = self._last = 0

    def steady(self, time: NDArray[np.int64]) -> NDArray[np.int64]:
        """n times, nanoseconds."""
        first = int(time.min()) + self._shift
        if first < self._last - _DISORDER:
            self._shift += self._last - first
        moved = time + self._shift
        self._last = max(self._last, int(moved.max()))
        return moved


class Cutter:
    """Ends an interval with the first sample at which it is long enough.

    All threads and processes count together: their intervals would otherwise be as many as threads, and each
    as long as the least busy of them needs.

    Args:
        length: least length of an interval, in units of the event.
        lasting: least nanoseconds that it lasts: where many threads run, more samples are put together.
    """

    def __init__(self, length: int, lasting: int = 0) -> None:
        self.length, self.lasting = length, lasting
        self.open = Stretch()
        self._clock = Clock()

    def take(self, batch: Batch, codes: list[Code], which: NDArray[np.int64]) -> Iterator[Stretch]:
        """Add samples; the intervals that end with them."""
        if not len(batch):
            return
        time = self._clock.steady(batch.time)
        mine = np.flatnonzero(which >= 0)
        order = mine[np.argsort(time[mine], kind="stable")]
        which, period, time = which[order], batch.period[order], time[order]
        at = 0
        while at < len(order):
            if not self.open.samples:
                # Another processor's buffer may hold samples from before the last interval's end.
                self.open.began = self.open.ended = max(int(time[at]), self.open.ended)
            end, done = self._end(period[at:], time[at:])
            self._add(codes, which[at : at + end], period[at : at + end], int(time[at + end - 1]))
            at += end
            if done:
                yield self.open
                self.open = Stretch(ended=self.open.ended)

    def _end(self, period: NDArray[np.int64], time: NDArray[np.int64]) -> tuple[int, bool]:
        """How many samples are of this interval, and whether it ends with the last of them."""
        enough = int(np.searchsorted(np.cumsum(period), self.length - self.open.length))
        late = int(np.searchsorted(time, self.open.began + self.lasting)) if self.lasting else 0
        last = max(enough, late)
        return (last + 1, True) if last < len(period) else (len(period), False)

    def _add(self, codes: list[Code], which: NDArray[np.int64], period: NDArray[np.int64], time: int) -> None:
        weight = np.zeros(len(codes), np.int64)
        np.add.at(weight, which, period)
        for row in np.flatnonzero(weight).tolist():
            self.open.codes[codes[row]] = self.open.codes.get(codes[row], 0) + int(weight[row])
        self.open.length += int(period.sum())
        self.open.samples += len(period)
        self.open.ended = max(self.open.ended, time)
