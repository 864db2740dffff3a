"""Icicle: the hierarchy as cells in rows; nodes that are too short to be seen are gathered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Hierarchy, Points
from phasemark.views import bins
from phasemark.views.nesting import Nesting, nesting

#: Of the cells, what the whole run may take; the rest shows more of what lies within simulation points.
_EVERYWHERE = 2 / 3


@dataclass(frozen=True, eq=False)
class Icicle:
    """Cells, ordered by run, thread, row and start: a node each, or short neighbours of one parent.

    Cells of one parent follow one another, and the last ends where the parent does. What is within gathered
    nodes has no cells.

    Attributes:
        run, thread, row: of each cell, int32.
        bottom: the last row that it fills, int32; of gathered nodes, that all fill.
        deepest: the last row that is filled within it, int32.
        start: instructions of the thread, int64.
        parent: which cell holds it, int64; -1: none.
        count: nodes that it stands for, int64.
        label: the phase, of those of its level, with most of its instructions, int32; -1: not known, or the
            node lies between levels.
        bases, levels: see Nesting.
        shortest: nodes of so many instructions have a cell of their own; 0: all have.
        shortest_in_points: the same within simulation points.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    row: NDArray[np.int32]
    bottom: NDArray[np.int32]
    deepest: NDArray[np.int32]
    start: NDArray[np.int64]
    parent: NDArray[np.int64]
    count: NDArray[np.int64]
    label: NDArray[np.int32]
    bases: list[int]
    levels: int
    shortest: int
    shortest_in_points: int

    def __len__(self) -> int:
        return len(self.start)


def icicle(hierarchy: Hierarchy, points: Points, limit: int) -> Icicle:
    """The hierarchy in about `limit` cells at most; where there are no more nodes, each is a cell.

    Args:
        hierarchy: of the run.
        points: the simulation points.
        limit: of cells.
    """
    nested = nesting(hierarchy)
    within = _within(nested, points)
    part = limit if len(nested) <= limit else int(limit * _EVERYWHERE)
    whole = _shortest(nested.length, part, part, lambda least: len(_cells(nested, least)[1]))
    fine = _shortest(
        nested.length[within],
        limit - part,
        limit,
        lambda least: len(_cells(nested, np.where(within, least, whole))[1]),
    )
    fine = min(fine, whole)
    rows, first = _cells(nested, np.where(within, fine, whole))
    return _gathered(nested, hierarchy.labels, (rows, first), (whole, fine))


def _shortest(
    lengths: NDArray[np.int64], nodes: int, limit: int, cells: Callable[[NDArray[np.int64] | int], int]
) -> int:
    """The length from which on nodes have their own cells: about `nodes` of them, within `limit` cells."""
    longest = np.sort(lengths)[::-1]
    least = 0 if len(longest) <= nodes else int(longest[nodes]) + 1
    while len(longest) and cells(least) > limit and least <= longest[0]:
        least = max(1, 2 * least)
    return least


def _within(nested: Nesting, points: Points) -> NDArray[np.bool_]:
    """Whether a node has instructions of a simulation point."""
    found = np.zeros(len(nested), np.bool_)
    for run, thread in sorted(set(zip(points.run.tolist(), points.thread.tolist(), strict=True))):
        nodes = np.flatnonzero((nested.run == run) & (nested.thread == thread))
        own = (points.run == run) & (points.thread == thread)
        begun = np.searchsorted(np.sort(points.start[own]), nested.end[nodes])
        over = np.searchsorted(np.sort(points.end[own]), nested.start[nodes], side="right")
        found[nodes] = begun > over
    return found


def _cells(nested: Nesting, least: NDArray[np.int64] | int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes within cells, and which of these begin one: a long node, or short ones of one parent.

    Short neighbours are gathered until they are as long together.
    """
    parent = nested.parent
    shown = nested.length >= least
    rows = np.flatnonzero(shown | (parent < 0) | shown[parent])
    least_of = np.broadcast_to(least, shown.shape)[rows]
    own = shown[rows]
    fresh = own | np.concatenate(([True], own[:-1]))[: len(rows)]
    for of in (nested.run, nested.thread, parent):
        fresh |= _changes(of[rows])
    fresh |= _changes(least_of)
    start = nested.start[rows]
    begin = start[np.maximum.accumulate(np.where(fresh, np.arange(len(rows)), 0))]
    fresh |= _changes((start - begin) // np.maximum(1, least_of))
    return rows, np.flatnonzero(fresh)


def _changes(values: NDArray[np.signedinteger]) -> NDArray[np.bool_]:
    """True in the first row, and wherever a value differs from the row before."""
    return np.concatenate(([True], np.diff(values) != 0))[: len(values)]


def _gathered(
    nested: Nesting,
    labels: NDArray[np.int32],
    cells: tuple[NDArray[np.int64], NDArray[np.int64]],
    shortest: tuple[int, int],
) -> Icicle:
    rows, first = cells
    at, bounds = rows[first], np.append(first, len(rows))
    cell = np.full(len(nested) + 1, -1, np.int64)  # the last is the parent of those that have none
    cell[at] = np.arange(len(at))
    bottom, deepest, label = nested.bottom[at], nested.deepest[at], labels[nested.node[at]]
    if len(first):
        bottom = np.minimum.reduceat(nested.bottom[rows], first)
        deepest = np.maximum.reduceat(nested.deepest[rows], first)
        # bins.majority counts labels from 0.
        label = bins.majority(bounds, labels[nested.node[rows]] + 1, nested.length[rows].astype(float)) - 1
    run, thread, row = (of[at] for of in (nested.run, nested.thread, nested.row))
    return Icicle(
        run, thread, row, bottom, deepest, nested.start[at], cell[nested.parent[at]], np.diff(bounds), label,
        nested.bases, nested.levels, *shortest,
    )  # fmt: skip
