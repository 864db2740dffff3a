"""Tables as text."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import accumulate, pairwise


def error(relative: float) -> str:
    """A relative error with its sign, in percent; none of what rounds to 0."""
    text = f"{relative:+.2%}"
    return text[1:] if text in ("+0.00%", "-0.00%") else text


def percent(share: float) -> str:
    """Two digits behind the point below 10%; `-` for what is not defined."""
    if math.isnan(share):
        return "-"
    return f"{share:.2%}" if abs(share) < 0.1 else f"{share:.1%}"


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Rows of cells as lines in columns, the headings first.

    Args:
        rows: of equally many cells.
        left: columns aligned to the left; the others to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:{'<' if at in left else '>'}{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def folded(rows: Sequence[Sequence[str]], room: int, keys: int = 1, groups: Sequence[int] = ()) -> list[str]:
    """Rows of cells as `aligned` has them; where lines are too long, the columns in several tables.

    Args:
        rows: of equally many cells.
        room: characters of a line; a column too wide for it has a table of its own.
        keys: columns that say what a row is of: each table begins with them.
        groups: of how many columns each, after those, are in one table, if there is room.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def fits(columns: Sequence[int]) -> bool:
        width: int = sum(widths[column] + 2 for column in (*range(keys), *columns)) - 2
        return width <= room

    tables: list[list[int]] = [[]]
    ends = list(accumulate(groups, initial=keys)) if groups else range(keys, len(widths) + 1)
    for first, last in pairwise(ends):
        group = [*range(first, last)]
        for part in [group] if fits(group) else [[column] for column in group]:
            if tables[-1] and not fits(tables[-1] + part):
                tables.append([])
            tables[-1] += part
    lines: list[str] = []
    for table in tables:
        kept = [[row[at] for at in (*range(keys), *table)] for row in rows]
        lines += [*([""] if lines else []), *aligned(kept)]
    return lines
