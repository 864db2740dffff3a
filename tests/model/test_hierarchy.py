"""A hierarchy is trees of intervals, and every cut of it tiles the threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import hierarchy as reference

from phasemark.errors import DataError, UsageError
from phasemark.model import KINDS, Hierarchy, Intervals, Phases

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


@pytest.mark.parametrize("where", [0.5, None, "a"])
def test_a_level_is_a_whole_number(where: Any) -> None:
    with pytest.raises(UsageError, match="level is"):
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
        ({"start": [20, 0, 0, 5, 0], "end": [30, 20, 5, 20, 7]}, "row 1: the rows are not ordered"),
        ({"thread": [1, 1, 1, 1, 0]}, "row 4: the rows are not ordered"),
        ({"run": [1, 1, 1, 1, 0]}, "row 4: the rows are not ordered"),
        ({"level": [1, 1, 0, 0, 0]}, "row 2: the rows are not ordered"),
        ({"level": [-1, 0, 1, 1, 0]}, "row 0: a level, or the row of a parent, is negative"),
        ({"parent": [-2, -1, 0, 0, -1]}, "row 0: a level, or the row of a parent, is negative"),
        ({"parent": [-1, -1, -1, 0, -1]}, "row 2: a node of another level than 0 has no parent"),
        ({"parent": [-1, 0, 0, 0, -1]}, "row 1: nodes do not reach their parent's end"),
        ({"parent": [-1, -1, 5, 0, -1]}, "row 2: a node's parent is not there"),
        ({"parent": [-1, -1, 4, 4, -1]}, "row 2: a node's parent is not there, or not above it"),
        (
            {"run": [0, 0, 0, 0, 1], "level": [0, 0, 1, 1, 1], "parent": [-1, -1, 0, 0, 1]},
            "row 4.*another thread",
        ),
        ({"level": [0, 0, 1, 1, 1], "parent": [-1, -1, 0, 0, 1]}, "row 4.*another thread"),
        ({"level": [0, 0, 1, 1, 3], "depth": 2}, "row 4: a node is of a level that is not there"),
        ({"level": [0, 0, 1, 2, 0]}, "row 3: a node is of another level than its neighbours"),
        ({"phases": [Phases([0, 0, 0], None, [0, 0, 0])]}, "phases of 1 levels, but 2"),
        ({"phases": [Phases([0, 0, 0], None, [0, 0, 0])] * 2}, "phases of 3 intervals, but 4 .* level 1"),
        ({"parent": [-1, -1, 0, 2, -1]}, "row 3: a node does not start where"),
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


#: Of thread 0 [0, 30), in three levels: [0, 20) and [20, 30); of the first [0, 5), then the rule [5, 20) of
#: [5, 10) and [10, 20); [20, 30) is a leaf throughout, and has the parts [20, 24) and [24, 30).
RULES: dict[str, Any] = {
    "run": [0] * 8,
    "thread": [0] * 8,
    "level": [0, 0, 1, 1, 1, 1, 2, 2],
    "parent": [-1, -1, 0, 0, 3, 3, 1, 1],
    "start": [0, 20, 0, 5, 5, 10, 20, 24],
    "end": [20, 30, 5, 20, 10, 20, 24, 30],
    "kind": [1, 2, 1, 1, 2, 1, 1, 1],
    "depth": 2,
}


def lengths(cut: Intervals) -> list[int]:
    return cut.length.tolist()


def test_rules_and_parts_are_in_no_level_and_what_no_level_unites_is_in_all() -> None:
    tree = Hierarchy(**RULES)
    assert [lengths(cut) for cut in tree.levels] == [[20, 10], [5, 5, 10, 10]]
    assert tree.rows(1).tolist() == [2, 4, 5, 1]
    bare = tree.of_levels()
    assert bare.parent.tolist() == [-1, -1, 0, 0, 0] and bare.end.tolist() == [20, 30, 5, 10, 20]
    assert [rows(cut) for cut in bare.levels] == [rows(cut) for cut in tree.levels]


def test_labels_are_those_of_a_nodes_own_level() -> None:
    phases = [Phases([0, 1], None, [0, 0]), Phases([0, 1, 2, 0], None, [0, 0, 0, 0])]
    tree = Hierarchy(**RULES, phases=tuple(phases))
    assert tree.labels.tolist() == [0, 1, 0, -1, 1, 2, -1, -1]
    assert tree.of_levels().labels.tolist() == [0, 1, 0, 1, 2]


@pytest.mark.parametrize(
    ("bounds", "literal", "split", "merged"),
    [
        ((1, 40), [5, 5, 10, 10], [5, 5, 10, 10], [5, 5, 10, 10]),
        ((6, 40), [20, 10], [20, 10], [20, 10]),
        ((11, 40), [30], [30], [30]),
        ((6, 19), [5, 15, 10], [5, 15, 10], [5, 15, 10]),
        ((6, 12), [5, 5, 10, 10], [5, 5, 10, 10], [10, 10, 10]),
        ((5, 8), [5, 5, 10, 10], [5, 5, 10, 4, 6], [5, 5, 10, 4, 6]),
        ((5, 9), [5, 5, 10, 10], [5, 5, 10, 4, 6], [5, 5, 10, 4, 6]),
        ((31, 50), [30], [30], [30]),
        ((100, 100), [30], [30], [30]),
    ],
)
def test_a_selection_has_lengths_within_bounds(
    bounds: tuple[int, int], literal: list[int], split: list[int], merged: list[int]
) -> None:
    tree = Hierarchy(**RULES)
    assert lengths(tree.select(*bounds, merge=False, split=False)) == literal
    assert lengths(tree.select(*bounds, merge=False)) == split
    assert lengths(tree.select(*bounds)) == merged


def test_neighbours_are_joined_where_the_trees_divide_them_least() -> None:
    """[5, 10) lies in a rule with [10, 20), [0, 5) outside."""
    tree = Hierarchy(**{**RULES, "end": [20, 30, 5, 20, 10, 20, 24, 30]})
    assert lengths(tree.select(6, 15)) == [5, 15, 10]
    assert tree.select(6, 12).frame()["kind"].tolist() == ["variable", "variable", "transition"]


def test_of_joined_stretches_the_longest_says_the_kind() -> None:
    tree = Hierarchy(**{**RULES, "kind": [1, 2, 1, 1, 2, 1, 1, 1]})
    assert tree.select(31, 50).frame()["kind"].tolist() == ["variable"]
    columns = [[0] * 3, [0] * 3, [0] * 3, [-1] * 3, [0, 2, 5], [2, 5, 8], [1, 2, 3]]
    assert Hierarchy(*columns).select(4, 5).frame()["kind"].tolist() == ["transition", "tail"]  # type: ignore[arg-type]


def test_threads_stand_apart() -> None:
    tree = hierarchy()
    assert rows(tree.select(50, 60)) == [(0, 0, 0, 0, 30), (0, 1, 0, 0, 7)]
    assert rows(tree.select(8, 20)) == [(0, 0, 0, 0, 20), (0, 0, 1, 20, 10), (0, 1, 0, 0, 7)]


@pytest.mark.parametrize(
    ("bounds", "message"),
    [((5, 4), "at least 5 and at most 4"), ((0, 4), "at least 0"), ((1.5, 4), "minimum is 1.5")],
)
def test_bounds_that_make_no_sense_are_refused(bounds: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        hierarchy().select(*bounds)


@settings(deadline=None)
@given(tree=st.one_of(trees(), st.just(Hierarchy(**RULES))), data=st.data())
def test_a_selection_is_what_the_paper_says(tree: Hierarchy, data: st.DataObject) -> None:
    minimum = data.draw(st.integers(1, 40))
    maximum = data.draw(st.integers(minimum, 80))
    for split in (False, True):
        expected = reference.select(tree, minimum, maximum, split=split)
        assert rows(tree.select(minimum, maximum, merge=False, split=split)) == expected
        assert rows(tree.select(minimum, maximum, split=split)) == reference.merge(
            tree, expected, minimum, maximum
        )


@settings(deadline=None)
@given(tree=trees(), data=st.data())
def test_a_selection_tiles_each_thread_and_joins_all_that_it_can(
    tree: Hierarchy, data: st.DataObject
) -> None:
    minimum = data.draw(st.integers(1, 40))
    maximum = data.draw(st.integers(minimum, 80))
    cut, literal = tree.select(minimum, maximum), tree.select(minimum, maximum, merge=False)
    assert {(r, t): s + n for r, t, _, s, n in rows(cut)} == {
        (r, t): s + n for r, t, _, s, n in rows(tree.cut(0))
    }
    assert set(zip(cut.run, cut.thread, cut.start, strict=True)) <= set(
        zip(literal.run, literal.thread, literal.start, strict=True)
    )
    same = ~cut.first_of_thread()[1:]
    pair, least = cut.length[1:] + cut.length[:-1], np.minimum(cut.length[1:], cut.length[:-1])
    assert not (same & (pair <= maximum) & (least < minimum)).any()
    assert cut.outside(minimum, maximum)[0] <= literal.outside(minimum, maximum)[0]
    assert cut.outside(minimum, maximum)[1] == literal.outside(minimum, maximum)[1]


def test_very_many_nodes_are_no_matter_of_recursion() -> None:
    """A tree of 100,000 levels of two leaves each would be one; here it is flat, and joined."""
    n = 200_000
    tree = Hierarchy(*([np.zeros(n, int)] * 3), np.full(n, -1), np.arange(n), np.arange(n) + 1)  # type: ignore[arg-type]
    assert lengths(tree.select(1000, 1000)) == [1000] * 200


def test_a_frame_has_a_row_a_node_and_a_line_says_how_many() -> None:
    tree = hierarchy()
    frame = tree.frame()
    assert list(frame.columns) == [*COLUMNS, "kind"] and frame["end"].tolist() == COLUMNS["end"]
    assert repr(tree) == "<Hierarchy: nodes=5, levels=2>" and "<table" in tree._repr_html_()
