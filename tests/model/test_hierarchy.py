"""A hierarchy is trees of intervals, and every cut of it tiles the threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark.errors import DataError, UsageError
from phasemark.model import KINDS, Hierarchy, Intervals

#: Of thread 0 [0, 30): [0, 20) is [0, 5) and [5, 20), [20, 30) is a leaf; of thread 1 [0, 7) is a leaf.
COLUMNS: dict[str, list[int]] = {
    "run": [0] * 5,
    "thread": [0, 0, 0, 0, 1],
    "level": [0, 0, 1, 1, 0],
    "parent": [-1, -1, 0, 0, -1],
    "start": [0, 20, 0, 5, 0],
    "end": [20, 30, 5, 20, 7],
}


def hierarchy(**changed: list[Any]) -> Hierarchy:
    return Hierarchy(**{**COLUMNS, **changed})  # type: ignore[arg-type]


def rows(cut: Intervals) -> list[tuple[int, ...]]:
    columns = (cut.run, cut.thread, cut.index, cut.start, cut.length)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_a_cut_at_a_level_tiles_each_thread_where_a_branch_ends_above_it_too() -> None:
    tree = hierarchy()
    assert tree.depth == len(tree.levels) == 2
    assert rows(tree.cut(0)) == [(0, 0, 0, 0, 20), (0, 0, 1, 20, 10), (0, 1, 0, 0, 7)]
    assert rows(tree.cut(1)) == [(0, 0, 0, 0, 5), (0, 0, 1, 5, 15), (0, 0, 2, 20, 10), (0, 1, 0, 0, 7)]
    assert [rows(cut) for cut in tree.levels] == [rows(tree.cut(0)), rows(tree.cut(1))]
    assert tree.cut(1).frame()["kind"].tolist() == ["variable"] * 4


def test_a_cut_of_rows_may_mix_levels_and_keeps_kinds() -> None:
    kinds = [KINDS.index(kind) for kind in ("variable", "transition", "fixed", "variable", "tail")]
    cut = hierarchy(kind=kinds).cut([4, 1, 3, 2])
    assert rows(cut) == rows(hierarchy().cut(1))
    assert cut.frame()["kind"].tolist() == ["fixed", "variable", "transition", "tail"]


@pytest.mark.parametrize("chosen", [[0, 1], [0, 4], [2, 1, 4], [0, 1, 2, 3, 4], [0, 0, 1, 4], []])
def test_rows_that_do_not_tile_each_thread_are_refused(chosen: list[int]) -> None:
    with pytest.raises(DataError):
        hierarchy().cut(chosen)


@pytest.mark.parametrize("where", [-1, 2, [5], [-1, 1, 4]])
def test_a_level_or_node_that_is_not_there_is_refused(where: Any) -> None:
    with pytest.raises(UsageError, match="there is no"):
        hierarchy().cut(where)


def test_no_node_at_all_is_a_hierarchy() -> None:
    none = Hierarchy(*([] for _ in range(6)))  # type: ignore[arg-type]
    assert (len(none), none.depth, none.levels) == (0, 0, ())
    assert len(none.cut([])) == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"run": [-1, -1, -1, -1, 0]}, "row 0: a run or thread number is negative"),
        ({"thread": [-1, -1, -1, -1, 0]}, "row 0: a run or thread number is negative"),
        ({"kind": [1, 4, 1, 1, 1]}, "row 1: a node is of an unknown kind"),
        ({"kind": [-1, 1, 1, 1, 1]}, "row 0: a node is of an unknown kind"),
        ({"end": [20, 20, 5, 20, 7]}, "row 1: a node has no instruction"),
        ({"start": [20, 0, 0, 5, 0], "end": [30, 20, 5, 20, 7]}, "row 0: the rows are not ordered"),
        ({"thread": [1, 1, 1, 1, 0]}, "row 0: the rows are not ordered"),
        ({"run": [1, 1, 1, 1, 0]}, "row 0: the rows are not ordered"),
        ({"level": [1, 1, 0, 0, 0]}, "row 0: the rows are not ordered"),
        ({"level": [-1, 0, 1, 1, 0]}, "row 0: a level, or the row of a parent, is negative"),
        ({"parent": [-2, -1, 0, 0, -1]}, "row 0: a level, or the row of a parent, is negative"),
        ({"parent": [-1, -1, -1, 0, -1]}, "row 2: a node of level 0 has a parent, or another one has none"),
        ({"parent": [-1, 0, 0, 0, -1]}, "row 1: a node of level 0 has a parent, or another one has none"),
        ({"parent": [-1, -1, 5, 0, -1]}, "row 2: a node's parent is not there"),
        ({"parent": [-1, -1, 4, 4, -1]}, "row 2: a node's parent is of another thread"),
        ({"run": [0, 0, 0, 0, 1], "thread": [0] * 5, "parent": [-1, -1, 4, 4, -1]}, "row 2.*another thread"),
        ({"parent": [-1, -1, 0, 2, -1]}, "row 3: a node's parent is of another thread, or not one level"),
        ({"start": [1, 20, 1, 5, 0]}, "row 0: a node does not start where"),
        ({"start": [0, 21, 0, 5, 0]}, "row 1: a node does not start where"),
        ({"start": [0, 20, 1, 5, 0]}, "row 2: a node does not start where"),
        ({"end": [20, 30, 4, 20, 7]}, "row 3: a node does not start where"),
        ({"end": [20, 30, 5, 19, 7]}, "row 3: nodes do not reach their parent's end"),
        ({"end": [20, 30, 5, 21, 7]}, "row 3: nodes do not reach their parent's end"),
        ({"start": [0, 20, 0, 5, 1]}, "row 4: a node does not start where"),
        ({"thread": [0, 0, 0, 0]}, "4 rows instead of 5"),
        ({"start": [0, 20, 0, 5.5, 0]}, "row 3.*no whole number"),
    ],
)
def test_what_is_no_hierarchy_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        hierarchy(**changed)


@st.composite
def trees(draw: st.DrawFn) -> Hierarchy:
    """Any trees, drawn from the leaves up: neighbours are joined level by level."""
    columns: list[list[int]] = []
    for run, thread in draw(st.sampled_from([[(0, 0)], [(0, 0), (0, 2)], [(0, 1), (1, 0)]])):
        lengths = draw(st.lists(st.integers(1, 9), min_size=1, max_size=8))
        ends = np.cumsum(lengths).tolist()
        levels = [list(zip([0, *ends[:-1]], ends, strict=True))]
        while len(levels[-1]) > 1 and draw(st.booleans()):
            below, above = levels[-1], []
            while below:
                size = draw(st.integers(1, len(below)))
                above.append((below[0][0], below[size - 1][1]))
                below = below[size:]
            levels.append(above)
        first = len(columns)
        for level, stretches in enumerate(reversed(levels)):
            begin = len(columns)
            for start, end in stretches:
                parent = -1
                if level:
                    parent = next(r for r in range(first, begin) if columns[r][4] <= start < columns[r][5])
                columns.append([run, thread, level, parent, start, end])
            first = begin
    return Hierarchy(*zip(*columns, strict=True))  # type: ignore[arg-type]


@settings(deadline=None)
@given(tree=trees(), data=st.data())
def test_any_cut_tiles_each_thread(tree: Hierarchy, data: st.DataObject) -> None:
    whole = {(r, t): e for r, t, _, s, n in rows(tree.cut(0)) for e in [s + n]}
    for cut in tree.levels:
        assert {(r, t): s + n for r, t, _, s, n in rows(cut)} == whole
    chosen, open_nodes = [], np.flatnonzero(tree.level == 0).tolist()
    while open_nodes:
        row = open_nodes.pop()
        children = np.flatnonzero(tree.parent == row).tolist()
        if children and data.draw(st.booleans()):
            open_nodes += children
        else:
            chosen.append(row)
    cut = tree.cut(chosen)
    assert len(cut) == len(chosen)
    assert {(r, t): s + n for r, t, _, s, n in rows(cut)} == whole


def test_a_frame_has_a_row_a_node_and_a_line_says_how_many() -> None:
    tree = hierarchy()
    frame = tree.frame()
    assert list(frame.columns) == [*COLUMNS, "kind"] and frame["end"].tolist() == COLUMNS["end"]
    assert repr(tree) == "<Hierarchy: nodes=5, levels=2>" and "<table" in tree._repr_html_()
