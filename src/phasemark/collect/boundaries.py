"""Whether the boundaries of intervals are found again when a program runs once more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.cuts import Cuts
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import counted


@dataclass(frozen=True)
class Boundaries:
    """Whether the boundaries of intervals were found again when the program ran once more.

    A boundary was found where the thread had just gone through the same site.

    Attributes:
        asked: how many boundaries there are.
        found: how many were found again.
        shifted: how many came after the same site, but some instructions later.
        largest_shift: the most instructions of those.
        lost: how many came after another site, or were not reached.
        unchecked: of how many it is not known which site they follow.
        first_lost: row of the first that was lost, its thread and position; None: none was.
    """

    asked: int
    found: int = 0
    shifted: int = 0
    largest_shift: int = 0
    lost: int = 0
    unchecked: int = 0
    first_lost: tuple[int, int, int] | None = None

    def __str__(self) -> str:
        checked = self.asked - self.unchecked
        words = [f"{self.found:,} of {counted(checked, 'boundary', 'boundaries')} were found again"]
        if self.shifted:
            words.append(
                f"{self.shifted:,} lie up to {counted(self.largest_shift, 'instruction')} after them"
            )
        if self.first_lost:
            row, thread, position = self.first_lost
            words.append(
                f"{self.lost:,} were lost, the first that of interval {row:,} (instruction {position:,} of "
                f"thread {thread})"
            )
        return ", ".join(words)


def found_again(stream: RawStream, cuts: Cuts) -> Boundaries:
    """Compare the boundaries of intervals with a run that was cut at them.

    Raises:
        DataError: the stream is malformed.
    """
    begun, rows = stream.beginnings, cuts.boundaries
    at = begun.rows_at(cuts.intervals.thread[rows].astype(np.int64), cuts.intervals.start[rows])
    reached = at >= 0
    since = np.zeros(len(rows), np.int64)
    since[reached] = begun.since[at[reached]]
    return compare(cuts, reached, None, since)


def compare(cuts: Cuts, reached: NDArray[np.bool_], site: Ints | None, since: Ints) -> Boundaries:
    """Compare what was expected at the boundaries with what was recorded.

    Args:
        cuts: with b boundaries.
        reached: whether the thread came to each, b.
        site: row of `cuts.sites` of the last event before each, b; -1: another site, or none. None: events
            were not followed.
        since: instructions since that event, b.
    """
    rows = cuts.boundaries
    expected = cuts.site[rows]
    known = (expected >= 0) if site is not None else np.zeros(len(rows), np.bool_)
    same = known & reached & (expected == (site if site is not None else -1))
    shifted = same & (since > 0)
    lost = (known | ~reached) & ~same
    first = int(rows[np.argmax(lost)]) if lost.any() else None
    table = cuts.intervals
    return Boundaries(
        len(rows),
        found=int((same & ~shifted).sum()),
        shifted=int(shifted.sum()),
        largest_shift=int(since[shifted].max(initial=0)),
        lost=int(lost.sum()),
        unchecked=int((~known & reached).sum()),
        first_lost=None if first is None else (first, int(table.thread[first]), int(table.start[first])),
    )
