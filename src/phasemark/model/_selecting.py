"""Which nodes of a hierarchy have lengths between two bounds."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.model.intervals import Intervals
from phasemark.model.options import require_given, require_whole


class Trees(Protocol):
    """What is looked at of a hierarchy; see there."""

    @property
    def run(self) -> NDArray[np.int32]: ...
    @property
    def thread(self) -> NDArray[np.int32]: ...
    @property
    def level(self) -> NDArray[np.int32]: ...
    @property
    def parent(self) -> NDArray[np.int64]: ...
    @property
    def start(self) -> NDArray[np.int64]: ...
    @property
    def end(self) -> NDArray[np.int64]: ...
    @property
    def kind(self) -> NDArray[np.int8]: ...
    @property
    def depth(self) -> int: ...

    def __len__(self) -> int:
        """How many nodes there are."""


def select(tree: Trees, minimum: int, maximum: int, merge: bool, split: bool) -> Intervals:
    """See `Hierarchy.select`."""
    _check(minimum, maximum)
    order = _Order(tree)
    stops = _stops(tree, minimum, maximum, split)[order.rows]
    chosen = np.flatnonzero(stops & ~order.within(stops))
    rows = order.rows[chosen]
    first = changes(tree.run[rows], tree.thread[rows])
    fixed = first | order.whole(minimum, maximum)[order.thread[chosen]]
    if merge:
        joined = _joined(tree.end[rows] - tree.start[rows], order.depth(chosen), fixed, minimum, maximum)
        first = np.where(fixed, first, ~joined)
    else:
        first = np.where(fixed, first, True)
    return _intervals(tree, rows, first)


def changes(*columns: NDArray[np.signedinteger]) -> NDArray[np.bool_]:
    """True in the first row, and wherever a column differs from the row before."""
    differs = [np.diff(values) != 0 for values in columns]
    return np.concatenate(([True], np.logical_or.reduce(differs)))[: len(columns[0])]


def numbered(run: NDArray[np.int32], thread: NDArray[np.int32]) -> NDArray[np.int64]:
    """Numbers from 0 within each thread, of rows in the order of threads."""
    rows = np.arange(len(run))
    return rows - np.maximum.accumulate(np.where(changes(run, thread), rows, 0))


def _check(minimum: int, maximum: int) -> None:
    require_given(minimum=minimum, maximum=maximum)
    require_whole(minimum=minimum, maximum=maximum)
    if minimum < 1:
        raise UsageError(f"intervals of at least {minimum:,} instructions", hint="give at least 1")
    if minimum > maximum:
        raise UsageError(
            f"intervals of at least {minimum:,} and at most {maximum:,} instructions",
            hint="give a minimum that is not above the maximum",
        )


class _Order:
    """The nodes from the first instruction to the last, each before those within it, all threads in a row.

    Attributes:
        rows: of the hierarchy.
        thread: number of the thread, of each.
        start, end: in instructions of all threads, one after the other.
    """

    def __init__(self, tree: Trees) -> None:
        thread = np.cumsum(changes(tree.run, tree.thread)) - 1
        roots = np.flatnonzero(tree.parent == -1)
        begins = np.flatnonzero(np.diff(thread[roots], prepend=-1))
        lengths = tree.end[roots] - tree.start[roots]
        self._totals = np.add.reduceat(lengths, begins) if len(roots) else lengths
        self._shortest = np.minimum.reduceat(lengths, begins) if len(roots) else lengths
        offset = (np.cumsum(self._totals) - self._totals)[thread]
        start, end = tree.start + offset, tree.end + offset
        self.rows = np.lexsort((-end, start))
        self.thread, self.start, self.end = thread[self.rows], start[self.rows], end[self.rows]

    def whole(self, minimum: int, maximum: int) -> NDArray[np.bool_]:
        """Of each thread, whether it is one interval: it is to its topmost nodes what a node is to others."""
        return np.asarray((self._totals <= maximum) & (self._shortest < minimum))

    def within(self, nodes: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether a node lies within one of some others."""
        reached = np.maximum.accumulate(np.where(nodes, self.end, 0))
        return np.asarray(np.concatenate(([0], reached[:-1]))[: len(nodes)] > self.start)

    def depth(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """How deep in the trees nodes are cut off from what is before them: the more, the weaker the cut."""
        outermost = np.searchsorted(self.start, self.start[nodes])
        over = np.searchsorted(np.sort(self.end), self.start[nodes], side="right")
        return np.asarray(outermost - over, np.int64)


def _stops(tree: Trees, minimum: int, maximum: int, split: bool) -> NDArray[np.bool_]:
    """Whether a node is taken as it is where those above it are divided."""
    length, child = tree.end - tree.start, np.flatnonzero(tree.parent >= 0)
    parent = tree.parent[child]
    shortest = np.full(len(tree), np.iinfo(np.int64).max)
    np.minimum.at(shortest, parent, length[child])
    divisible, part = np.zeros((2, len(tree)), np.bool_)
    divisible[parent] = True
    fits = length <= maximum
    part[child] = tree.level[child] == tree.depth
    leaf = part | ~divisible
    leaf[parent[part[child]]] = True
    return np.where(leaf, fits | ~divisible | (not split), fits & (shortest < minimum))


def _joined(
    lengths: NDArray[np.int64],
    depths: NDArray[np.int64],
    fixed: NDArray[np.bool_],
    minimum: int,
    maximum: int,
) -> NDArray[np.bool_]:
    """Whether each of the stretches is joined with the one before it; never where that is `fixed`."""
    size = lengths.tolist()  # of a group, at its first and its last stretch
    partner = list(range(len(size)))  # the other end of a group, at its ends
    joined = np.zeros(len(size), np.bool_)
    for both in (True, False):
        short = np.array(size) < minimum
        near = np.flatnonzero(
            ~fixed & ~joined & (short | np.concatenate(([False], short[:-1]))[: len(short)])
        )
        for row in near[np.argsort(-depths[near], kind="stable")].tolist():
            one, other = size[row - 1], size[row]
            if one + other > maximum or (max(one, other) if both else min(one, other)) >= minimum:
                continue
            joined[row] = True
            left, right = partner[row - 1], partner[row]
            size[left] = size[right] = one + other
            partner[left], partner[right] = right, left
    return joined


def _intervals(tree: Trees, rows: NDArray[np.int64], first: NDArray[np.bool_]) -> Intervals:
    """Intervals of one stretch or several; `first` says where they begin."""
    begin = np.flatnonzero(first)
    end = np.append(begin[1:], len(rows)) - 1 if len(begin) else begin
    group, length = np.cumsum(first), tree.end[rows] - tree.start[rows]
    longest = np.lexsort((-length, group))[begin]
    run, thread, start = (getattr(tree, name)[rows[begin]] for name in ("run", "thread", "start"))
    lengths = tree.end[rows[end]] - start
    return Intervals(run, thread, numbered(run, thread), start, lengths, tree.kind[rows[longest]])
