"""A trace that is read a stretch at a time: what one thread's events are before they fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from phasemark.model.sites import Sites

#: Columns of some events, in order: symbol, repeats, position; as in Events.
EventColumns = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]


class Trace(Protocol):
    """The events of one thread, as often as they are asked for, never all at once. Events is one, too."""

    @property
    def sites(self) -> Sites:
        """What the symbols are; threads of one run share it."""

    @property
    def run(self) -> int:
        """Which run, as in Intervals."""

    @property
    def thread(self) -> int:
        """Which thread of it."""

    @property
    def instructions(self) -> int:
        """Of the thread in all; those after the last event are its tail."""

    def chunks(self) -> Iterator[EventColumns]:
        """The events from the first on: columns of some, then of those that follow. None is empty.

        Columns mean what those of Events do: positions count from the thread's beginning.
        """
