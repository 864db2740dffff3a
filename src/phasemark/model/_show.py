"""How values show themselves: one line in a terminal, a table in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

#: Rows of a table in a notebook; of a longer one, its first and last.
_ROWS = 20


def line(value: object, /, **facts: object) -> str:
    """A value in one line, whatever it holds: `<Phases: k=3, intervals=1,000>`.

    Args:
        value: to show, by the name of its class.
        facts: what to say of it, in order; None says nothing. Whole numbers are grouped by thousands,
            others have four digits.
    """
    text = ", ".join(f"{name}={_fact(fact)}" for name, fact in facts.items() if fact is not None)
    return f"<{type(value).__name__}: {text}>"


def table(value: object, frame: pd.DataFrame) -> str:
    """HTML for a notebook: the value's line, and below it its table, cut to the first and last rows."""
    return f"<p>{html.escape(repr(value))}</p>\n{frame.to_html(max_rows=_ROWS, border=0)}"


def _fact(fact: object) -> str:
    if isinstance(fact, int) and not isinstance(fact, bool):
        return f"{fact:,}"
    return f"{fact:.4g}" if isinstance(fact, float) else str(fact)
