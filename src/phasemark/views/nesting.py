"""Nesting: in which row of a picture each node of a hierarchy is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Hierarchy

#: Rows of a picture, at most: beyond them nodes that lie between levels are left out.
ROWS = 36
#: Of these, what parts of leaves may take: they are the finest, and least is seen of them.
PARTS = 5


@dataclass(frozen=True, eq=False)
class Nesting:
    """The nodes that are drawn, ordered by run, thread, row and start.

    Attributes:
        node: row in the hierarchy of each, int64.
        run, thread: int32.
        start, end: instructions of the thread, int64.
        parent: which of these holds it, int64; -1: none.
        row: in which it is drawn, int32, from 0; its children's is a later one.
        bottom: the last row that it fills: that before its children's; of a leaf the last of
            the levels, int32.
        deepest: the last row that is filled within it, int32.
        bases: the first row of each level and of the parts of leaves, and last the number of rows.
        levels: how many levels there are; rows from bases[levels] on hold parts of leaves.
    """

    node: NDArray[np.int64]
    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    parent: NDArray[np.int64]
    row: NDArray[np.int32]
    bottom: NDArray[np.int32]
    deepest: NDArray[np.int32]
    bases: list[int]
    levels: int

    def __len__(self) -> int:
        return len(self.node)

    @property
    def length(self) -> NDArray[np.int64]:
        """Instructions of each."""
        return self.end - self.start


def nesting(hierarchy: Hierarchy, rows: int = ROWS) -> Nesting:
    """A row a level; nodes between levels (rules of grammars) make further rows, as far as there is room.

    Args:
        hierarchy: of a run.
        rows: at most; but every level has one.
    """
    nest = _nest(hierarchy)
    deep = [int(nest[hierarchy.level == level].max(initial=-1)) + 1 for level in range(hierarchy.depth + 1)]
    room = _room([*deep[:-1], min(deep[-1], PARTS)], rows)
    bases = np.concatenate(([0], np.cumsum(room)))
    most = np.array(room)[hierarchy.level] - 1
    kept = ~_between(hierarchy) | (nest < most)
    parent = _kept_parent(hierarchy, kept)
    row = bases[hierarchy.level] + np.minimum(nest, most)
    order = np.flatnonzero(kept)
    order = order[
        np.lexsort(tuple(of[order] for of in (hierarchy.start, row, hierarchy.thread, hierarchy.run)))
    ]
    at = np.full(len(hierarchy) + 1, -1, np.int64)  # the last is the parent of those that have none
    at[order] = np.arange(len(order))
    parent, row = at[parent[order]], row[order].astype(np.int32)
    leaf_ends = np.where(hierarchy.level[order] < hierarchy.depth, bases[-2], bases[-1]) - 1
    bottom = _bottom(parent, row, leaf_ends.astype(np.int32))
    return Nesting(
        order, hierarchy.run[order], hierarchy.thread[order], hierarchy.start[order], hierarchy.end[order],
        parent, row, bottom, _deepest(parent, row, bottom), bases.tolist(), hierarchy.depth,
    )  # fmt: skip


def _room(deep: list[int], rows: int) -> list[int]:
    """Rows of each level: as many as its nodes are deep in one another, or as all have room for."""
    most = max(deep, default=0)
    while most > 1 and sum(min(one, most) for one in deep) > rows:
        most -= 1
    return [min(one, most) for one in deep]


def _nest(hierarchy: Hierarchy) -> NDArray[np.int64]:
    """In how many nodes of its own level each lies."""
    nest = np.zeros(len(hierarchy), np.int64)
    own = np.flatnonzero(hierarchy.parent >= 0)
    own = own[hierarchy.level[hierarchy.parent[own]] == hierarchy.level[own]]
    known = np.ones(len(hierarchy), np.bool_)
    known[own] = False
    while own.size:
        ready = known[hierarchy.parent[own]]
        nodes = own[ready]
        nest[nodes] = nest[hierarchy.parent[nodes]] + 1
        known[nodes] = True
        own = own[~ready]
    return nest


def _between(hierarchy: Hierarchy) -> NDArray[np.bool_]:
    """Whether a node has children of its own level."""
    between = np.zeros(len(hierarchy), np.bool_)
    own = np.flatnonzero(hierarchy.parent >= 0)
    parent = hierarchy.parent[own]
    between[parent[hierarchy.level[own] == hierarchy.level[parent]]] = True
    return between


def _kept_parent(hierarchy: Hierarchy, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The next node above each that is kept; -1 where there is none."""
    parent = hierarchy.parent.copy()
    passing = np.flatnonzero(parent >= 0)
    while (passing := passing[~kept[parent[passing]]]).size:
        parent[passing] = hierarchy.parent[parent[passing]]
        passing = passing[parent[passing] >= 0]
    return parent


def _bottom(parent: NDArray[np.int64], row: NDArray[np.int32], last: NDArray[np.int32]) -> NDArray[np.int32]:
    """The row before the children's; without children, `last`."""
    bottom = last.copy()
    child = parent >= 0
    np.minimum.at(bottom, parent[child], row[child] - 1)
    return bottom


def _deepest(
    parent: NDArray[np.int64], row: NDArray[np.int32], bottom: NDArray[np.int32]
) -> NDArray[np.int32]:
    deepest = bottom.copy()
    for at in range(int(row.max(initial=0)), 0, -1):
        nodes = np.flatnonzero((row == at) & (parent >= 0))
        np.maximum.at(deepest, parent[nodes], deepest[nodes])
    return deepest
