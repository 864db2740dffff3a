"""Intervals from events, as "Variable-length intervals" has them, in plain Python.

Events are (symbol, repeats, position), stretches [start, end).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Event = tuple[int, int, int]


def prune(trace: Sequence[Event], instructions: int, every: int, silence: int) -> list[Event]:
    """Events of sites that recur at most once per `every`; where nothing is kept for `silence`, a rare one's."""
    count: Counter[int] = Counter()
    for symbol, repeats, _ in trace:
        count[symbol] += repeats
    kept: list[Event] = []
    row = 0
    while row < len(trace):
        event, last = trace[row], kept[-1][2] if kept else 0
        row += 1
        if not every or count[event[0]] * every <= instructions:
            kept.append(event)
        elif silence and event[2] - last >= silence:
            window = [event]
            for other in trace[row:]:
                if other[2] >= last + 2 * silence or count[other[0]] * every <= instructions:
                    break
                window.append(other)
            rarest = min(window, key=lambda one: count[one[0]])
            kept.append(rarest)
            row += window.index(rarest)
    return kept
