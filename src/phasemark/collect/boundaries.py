"""Whether the boundaries of intervals are found again when a program runs once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.cuts import Cuts
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.collect.stream.sites import sites_of
from phasemark.errors import counted
from phasemark.model import Sites


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
    site, since = np.full(len(rows), -1), np.zeros(len(rows), np.int64)
    site[reached] = _rows_of_sites(stream, cuts, begun.site[at[reached]])
    since[reached] = begun.since[at[reached]]
    return compare(cuts, reached, site, since)


def _rows_of_sites(stream: RawStream, cuts: Cuts, number: Ints) -> Ints:
    """The row of `cuts.sites` of each number by which the stream calls a site; -1: it is none of them."""
    if cuts.sites is None:
        return np.full(len(number), -1)
    sites, symbols = sites_of(stream)
    rows = {key: row for row, key in enumerate(_keys(cuts.sites))}
    # Where a site is unknown its number is -1, and so is what stands last.
    known = np.array([*(rows.get(key, -1) for key in _keys(sites)), -1], np.int64)
    found: Ints = np.append(known[symbols], -1)[np.where(number < len(symbols), number, -1)]
    return found


def _keys(sites: Sites) -> Iterator[tuple[str, int, int]]:
    for module, offset, kind in zip(sites.module, sites.offset, sites.kind, strict=True):
        yield sites.modules[module], int(offset), int(kind)


def compare(cuts: Cuts, reached: NDArray[np.bool_], site: Ints, since: Ints) -> Boundaries:
    """Compare what was expected at the boundaries with what was recorded.

    Args:
        cuts: with b boundaries.
        reached: whether the thread came to each, b.
        site: row of `cuts.sites` of the last event before each, b; -1: another site, or none.
        since: instructions since that event, b.
    """
    rows = cuts.boundaries
    expected = cuts.site[rows]
    known = expected >= 0
    same = known & reached & (expected == site)
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
