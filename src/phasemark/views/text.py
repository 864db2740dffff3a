"""Tables as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def error(relative: float) -> str:
    """A relative error with its sign, in percent; none of what rounds to 0."""
    text = f"{relative:+.2%}"
    return text[1:] if text in ("+0.00%", "-0.00%") else text


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
