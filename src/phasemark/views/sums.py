"""Sums: counts of many intervals added up, in groups of intervals and of blocks, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

import phasemark._core as core
from phasemark.model import Counts
from phasemark.threads import in_order

#: Sums of batches wait to be added up until there are so many, and as many as were added up before.
_PATIENCE = 1 << 20


@dataclass(frozen=True, eq=False)
class Grouping:
    """How counts are to be added up.

    Attributes:
        group: of each interval, int64, from 0.
        groups: how many there are.
        place: of each block, from 0; None: each block is its own place.
        places: how many there are; None: as many as blocks.
    """

    group: NDArray[np.int64]
    groups: int
    place: NDArray[np.int64] | None = None
    places: int | None = None


def gathered(counts: Counts, *wanted: Grouping) -> list[Counts]:
    """Sums of instructions, groups x places, exact, a matrix a grouping; counts are gone through once.

    Args:
        counts: instructions, intervals x blocks.
        wanted: how to add them up.
    """
    kept = [_Sum(grouping, counts.columns) for grouping in wanted]
    for parts in in_order(partial(_of_rows, kept), _with_rows(counts)):
        for one, part in zip(kept, parts, strict=True):
            one.add(part)
    return [one.total() for one in kept]


def of_groups(counts: Counts, group: NDArray[np.integer[Any]], groups: int) -> Counts:
    """Instructions of each group of intervals, groups x blocks; kept for as long as the counts are.

    Args:
        counts: instructions, intervals x blocks.
        group: of each interval, from 0: that of the last call is not gone through again.
        groups: how many there are.
    """
    known = _kept.get(counts)
    if known is None or known[0] is not group or len(known[1]) != groups:
        (sums,) = gathered(counts, Grouping(group.astype(np.int64), groups))
        known = _kept[counts] = group, sums
    return known[1]


_kept: WeakKeyDictionary[Counts, tuple[NDArray[np.integer[Any]], Counts]] = WeakKeyDictionary()


def _with_rows(counts: Counts) -> Iterator[tuple[slice, Counts]]:
    """The rows some at a time, and which they are."""
    first = 0
    for part in counts.rows():
        yield slice(first, first + len(part)), part
        first += len(part)


def _of_rows(sums: Sequence[_Sum], batch: tuple[slice, Counts]) -> list[Counts]:
    rows, part = batch
    return [one.of(part, one.group[rows]) for one in sums]


class _Sum:
    """One of the matrices, which grows.

    Args:
        grouping: how counts are added up.
        columns: how many blocks there are.
    """

    def __init__(self, grouping: Grouping, columns: int) -> None:
        place = np.arange(columns) if grouping.place is None else grouping.place
        self.group = np.ascontiguousarray(grouping.group)
        self._groups = grouping.groups
        self._places = columns if grouping.places is None else grouping.places
        self._place = place.astype(np.int32)
        self._parts: list[Counts] = []
        self._added = 0

    def of(self, part: Counts, group: NDArray[np.int64]) -> Counts:
        """The sums of some rows."""
        return self._gathered(part, group, self._place)

    def add(self, part: Counts) -> None:
        """Take the sums of more rows."""
        self._parts.append(part)
        if sum(len(part.data) for part in self._parts) > 2 * max(self._added, _PATIENCE):
            self._parts = [self.total()]
            self._added = len(self._parts[0].data)

    def total(self) -> Counts:
        """The sums of all that was taken."""
        parts = self._parts
        if len(parts) == 1:
            return parts[0]
        sizes = np.concatenate([np.empty(0, np.int64), *(np.diff(part.indptr) for part in parts)])
        every = Counts(
            np.concatenate([[0], sizes.cumsum()]),
            np.concatenate([np.empty(0, np.int32), *(part.indices for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.data for part in parts)]),
            self._places,
        )
        group = np.tile(np.arange(self._groups), len(parts))
        return self._gathered(every, group, np.arange(self._places, dtype=np.int32))

    def _gathered(self, part: Counts, group: NDArray[np.int64], place: NDArray[np.int32]) -> Counts:
        sums = core.gathered(part.indptr, part.indices, part.data, group, self._groups, place, self._places)
        return Counts(*sums, self._places)
