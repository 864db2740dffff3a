"""Cells of the icicle, counted by hand, and against the hierarchy that they stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views import nested

from phasemark.errors import DataError
from phasemark.model import Hierarchy, Phases, Points
from phasemark.views.icicle import icicle
from phasemark.views.nesting import nesting

_NONE = Points(*(np.zeros(0) for _ in range(8)))


def point(start: int, end: int) -> Points:
    return Points([0], [0], [0], [0], [start], [end], [0], [1.0])


def small() -> Hierarchy:
    """[0, 60) in [0, 30), and [30, 60) in two; [60, 64) to [72, 76) in four of 4, the second in 1 and 3."""
    made = Hierarchy(
        np.zeros(10), np.zeros(10), [0, 0, 1, 1, 1, 1, 1, 1, 2, 2], [-1, -1, 0, 0, 1, 1, 1, 1, 5, 5],
        [0, 60, 0, 30, 60, 64, 68, 72, 64, 65], [60, 76, 30, 60, 64, 68, 72, 76, 65, 68],
    )  # fmt: skip
    labels = ([0, 1], [0, 0, 1, 1, 1, 2], [0, 0, 1, 2, 2, 1, 2])
    return replace(made, phases=tuple(Phases(one, None, np.zeros(len(one))) for one in labels))


def test_where_there_is_room_every_node_is_a_cell() -> None:
    made = icicle(small(), _NONE, 10)
    assert made.start.tolist() == small().start.tolist()
    assert made.count.tolist() == [1] * 10
    assert made.parent.tolist() == [-1, -1, 0, 0, 1, 1, 1, 1, 5, 5]
    assert made.row.tolist() == small().level.tolist()
    assert made.bottom.tolist() == [0, 0, 2, 2, 2, 1, 2, 2, 2, 2]
    assert made.deepest.tolist() == [2] * 10
    assert (made.shortest, made.shortest_in_points) == (0, 0)


def test_short_neighbours_are_gathered_and_nothing_is_lost() -> None:
    made = icicle(small(), _NONE, 9)
    # Of the four of 4 instructions, three are as long as a cell must be; one of them has parts.
    assert made.shortest == 10
    assert made.start.tolist() == [0, 60, 0, 30, 60, 72]
    assert made.count.tolist() == [1, 1, 1, 1, 3, 1]
    assert made.parent.tolist() == [-1, -1, 0, 0, 1, 1]
    assert made.bottom.tolist() == [0, 0, 2, 2, 1, 2]
    assert made.deepest.tolist() == [2] * 6
    assert made.label.tolist() == [0, 1, 0, 0, 1, 2]


def test_within_a_simulation_point_more_is_shown() -> None:
    made = icicle(small(), point(64, 68), 9)
    assert made.shortest_in_points < made.shortest
    assert made.start.tolist() == [0, 60, 0, 30, 60, 64, 68, 64, 65]
    assert made.count.tolist() == [1, 1, 1, 1, 1, 1, 2, 1, 1]


@pytest.mark.parametrize("levels", [nested.PLAIN, nested.GRAMMAR])
@pytest.mark.parametrize("limit", [40, 200, 1000, 5000])
def test_cells_hold_every_node_whose_parent_is_a_cell(limit: int, levels: tuple[int, ...]) -> None:
    made = nested.run(nested.archiver(), nested.archiver(5, 2), levels=levels)
    nodes = nesting(made.hierarchy)
    cells = icicle(made.hierarchy, made.points, limit)
    assert len(cells) <= limit
    keys = {key: at for at, key in enumerate(zip(cells.thread, cells.row, cells.start, strict=True))}
    held = np.zeros(len(cells), int)
    for node in range(len(nodes)):
        above = int(nodes.parent[node])
        key = (nodes.thread[above], nodes.row[above], nodes.start[above])
        if above < 0 or (key in keys and nodes.length[above] >= cells.shortest):
            at = np.flatnonzero((cells.thread == nodes.thread[node]) & (cells.row == nodes.row[node]))
            at = at[np.searchsorted(cells.start[at], nodes.start[node], side="right") - 1]
            held[at] += 1
            assert cells.parent[at] == (keys[key] if above >= 0 else -1)
    own = cells.parent < 0
    own |= np.isin(cells.parent, np.flatnonzero(held))
    assert (held[own] <= cells.count[own]).all() and (held > 0).sum() > limit / 10


def test_every_node_is_a_cell_where_there_is_room_whatever_lies_between_levels() -> None:
    made = nested.run(levels=nested.GRAMMAR)
    cells = icicle(made.hierarchy, made.points, 5000)
    assert len(cells) == len(made.hierarchy)
    assert (cells.count == 1).all()
    assert (cells.bases, cells.levels) == ([0, 1, 3, 5, 6], 3)
    # The nodes between levels 1 and 2, and those between 0 and 1, have no phase of a level.
    between = np.isin(cells.row, [1, 3]) & (cells.bottom == cells.row)
    assert (cells.label[between] == -1).all() and (cells.label[cells.row == 0] >= 0).all()


def test_a_hierarchy_of_another_run_is_refused() -> None:
    made = nested.run()
    with pytest.raises(DataError, match="another run"):
        replace(made, hierarchy=small())


def test_no_points_and_no_nodes() -> None:
    empty = Hierarchy(*(np.zeros(0) for _ in range(6)))
    assert len(icicle(empty, _NONE, 10)) == 0


def test_rows_are_left_out_between_levels_where_there_is_no_room() -> None:
    """A chain of 50 nodes in one another between two levels."""
    # Each node of [i, 50) holds the leaf [i, i + 1) and the next node; rows by start, the longer first.
    rows = [(i, end) for i in range(49) for end in (50, i + 1)] + [(49, 50)]
    parent = [2 * i - 2 if end == 50 else 2 * i for i, end in rows]
    start, end = zip(*rows, strict=True)
    made = Hierarchy(*(np.zeros(99) for _ in range(3)), [max(p, -1) for p in parent], start, end)
    shown = nesting(made, 10)
    assert shown.bases == [0, 10, 10]
    assert shown.row.max() == 9
    assert (shown.parent[shown.row > 0] >= 0).all()


def test_nests_are_as_deep_as_they_are() -> None:
    made = nested.run(levels=nested.GRAMMAR).hierarchy
    shown = nesting(made)
    assert shown.bases == [0, 1, 3, 5, 6]
    inner = shown.parent >= 0
    assert (shown.row[inner] > shown.bottom[shown.parent[inner]]).all()
    for name in ("start", "end"):
        assert (getattr(shown, name) == getattr(made, name)[shown.node]).all()


def test_parts_of_leaves_have_few_rows() -> None:
    """A leaf of 30 parts in one another."""
    rows = [(0, 30), *((i, end) for i in range(29) for end in (30, i + 1)), (29, 30)]
    parent = [-1, 0, *(2 * i - 1 if end == 30 else 2 * i + 1 for i, end in rows[2:])]
    start, end = zip(*rows, strict=True)
    zeros = np.zeros(len(rows))
    made = Hierarchy(zeros, zeros, [0, *[1] * (len(rows) - 1)], parent, start, end, depth=1)
    shown = nesting(made)
    assert (shown.bases, shown.levels) == ([0, 1, 6], 1)
    assert (shown.length[shown.row == 5] == 1).all()
