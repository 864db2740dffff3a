"""Intervals from a hierarchy, as "Variable-length intervals" has them, in plain Python."""

from __future__ import annotations

from phasemark.model import Hierarchy

#: Run, thread, number in the thread, start, length.
Row = tuple[int, int, int, int, int]


def select(tree: Hierarchy, minimum: int, maximum: int, *, split: bool) -> list[Row]:
    """f(o) = [o] if o is a leaf, or within the maximum with a child below the minimum; else f of children.

    The thread itself is the node above its topmost ones. Of a leaf that is too long, the parts are taken
    that are not, and undivided ones.
    """
    rows: list[Row] = []
    for key in sorted(set(zip(tree.run.tolist(), tree.thread.tolist(), strict=True))):
        own = [row for row in range(len(tree)) if (tree.run[row], tree.thread[row]) == key]
        top = [row for row in own if tree.parent[row] == -1]
        end = max(int(tree.end[row]) for row in top)
        if end <= maximum and min(length(tree, row) for row in top) < minimum:
            stretches = [(0, end)]
        else:
            stretches = [stretch for row in top for stretch in taken(tree, row, minimum, maximum, split)]
        rows += [(*key, index, start, end - start) for index, (start, end) in enumerate(sorted(stretches))]
    return rows


def taken(tree: Hierarchy, row: int, minimum: int, maximum: int, split: bool) -> list[tuple[int, int]]:
    children = [child for child in range(len(tree)) if tree.parent[child] == row]
    parts = [child for child in children if tree.level[child] == tree.depth]
    whole = [(int(tree.start[row]), int(tree.end[row]))]
    if not children:
        return whole
    if parts:
        if not split or length(tree, row) <= maximum:
            return whole
    elif length(tree, row) <= maximum and min(length(tree, child) for child in children) < minimum:
        return whole
    return [stretch for child in children for stretch in taken(tree, child, minimum, maximum, split)]


def length(tree: Hierarchy, row: int) -> int:
    return int(tree.end[row] - tree.start[row])


def merge(tree: Hierarchy, rows: list[Row], minimum: int, maximum: int) -> list[Row]:
    """Join neighbours within `maximum`: first two too short, then one; the deepest boundary first."""
    groups = [[row] for row in rows]

    def cut_depth(group: list[Row]) -> int:
        run, thread, _, start, _ = group[0]
        starting = [
            row
            for row in range(len(tree))
            if (tree.run[row], tree.thread[row], tree.start[row]) == (run, thread, start)
        ]
        return min(ancestors(tree, row) for row in starting)

    for short_ones in (2, 1):
        boundaries = sorted(groups[1:], key=lambda group: -cut_depth(group))
        for right in boundaries:
            at = next(i for i, group in enumerate(groups) if right[0] in group)
            if at == 0 or groups[at][0] != right[0]:
                continue
            left = groups[at - 1]
            sizes = [sum(row[4] for row in group) for group in (left, groups[at])]
            short = sum(size < minimum for size in sizes)
            if left[0][:2] == right[0][:2] and sum(sizes) <= maximum and short >= short_ones:
                groups[at - 1 : at + 1] = [left + groups[at]]
    out: list[Row] = []
    for group in groups:
        run, thread, _, start, _ = group[0]
        index = sum(row[:2] == (run, thread) for row in out)
        out.append((run, thread, index, start, sum(row[4] for row in group)))
    return out


def ancestors(tree: Hierarchy, row: int) -> int:
    count = 0
    while (row := int(tree.parent[row])) >= 0:
        count += 1
    return count
