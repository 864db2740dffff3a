"""Timelines and elapsed time in plain Python ("Detecting phases in parallel applications", 5.4 and 6.2).

One loop over the moments at which something changes; nothing here is fast.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Stretch:
    thread: int
    phase: int | None  # None: idle
    start: int
    end: int
    work: float | None = None  # None: not known


def threads(rows: Sequence[tuple[int, int, int, int]], length: float) -> list[Stretch]:
    """Of (thread, phase, began, ended), in order of thread and time: the stretches of one run."""
    begin, finish = min(row[2] for row in rows), max(row[3] for row in rows)
    found = []
    for thread in sorted({row[0] for row in rows}):
        own = [row for row in rows if row[0] == thread]
        at = begin
        for i, (_, phase, began, ended) in enumerate(own):
            if began > at:
                found.append(Stretch(thread, None, at, began))
            following = own[i + 1][2] if i + 1 < len(own) else None
            at = following if following is not None and following - ended <= length else ended
            found.append(Stretch(thread, phase, began, at))
        if finish > at:
            found.append(Stretch(thread, None, at, finish))
    return found


def elapsed(stretches: Sequence[Stretch], phases: int) -> tuple[list[float], float]:
    """What each phase has of the elapsed time, and the elapsed time in which a thread ran.

    A slice lasts as long as the mean work in it of its threads whose work is known.
    """
    moments = sorted({moment for one in stretches for moment in (one.start, one.end)})
    parts, total = [0.0] * phases, 0.0
    for start, end in itertools.pairwise(moments):
        running = [s for s in stretches if s.phase is not None and s.start <= start and end <= s.end]
        known = [s.work / (s.end - s.start) * (end - start) for s in running if s.work is not None]
        lasts = sum(known) / len(known) if known else 0.0
        total += lasts
        for one in running:
            assert one.phase is not None
            parts[one.phase] += lasts / len(running)
    return parts, total


def executed(intervals: Sequence[tuple[int, int, int]], moment: int) -> Fraction:
    """Instructions of all threads until a moment; of each interval: began, ended, length."""
    total = Fraction(0)
    for began, ended, length in intervals:
        if moment >= ended:
            total += length
        elif moment > began:
            total += Fraction(length * (moment - began), ended - began)
    return total
