"""Numbers and tables as text."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any


def error(relative: float) -> str:
    """A relative error with its sign, in percent; none of what rounds to 0."""
    text = f"{relative:+.2%}"
    return text[1:] if text in ("+0.00%", "-0.00%") else text


def number(value: float) -> str:
    """Four digits; `-` for what is not defined."""
    return "-" if math.isnan(value) else f"{value:.4g}"


def weight(value: float) -> str:
    """Four digits behind the point; of a smaller weight, which would read 0, its first digits."""
    return f"{value:.4f}" if value >= 0.00005 or not value else f"{value:.1e}"


def percent(share: float) -> str:
    """Two digits behind the point below 10%; `-` for what is not defined."""
    if math.isnan(share):
        return "-"
    return f"{share:.2%}" if abs(share) < 0.1 else f"{share:.1%}"


def finite(value: Any) -> Any:
    """A value as JSON holds it: null for a number that is not known or not bounded."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
