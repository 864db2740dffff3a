"""What each phase takes in two runs, and why it differs: the plain sums, one interval after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """One interval: its run (0 or 1), phase, instructions and cycles."""

    run: int
    phase: int
    instructions: float
    cycles: float


class Of(NamedTuple):
    """One phase in two runs."""

    instructions: tuple[float, float]
    cycles: tuple[float, float]
    by_work: float
    by_speed: float


def compare(rows: Sequence[Row], k: int) -> list[Of]:
    """Bennet's indicators: the change in each factor at the mean of the other."""
    out = []
    for phase in range(k):
        instructions = [sum(r.instructions for r in rows if (r.run, r.phase) == (at, phase)) for at in (0, 1)]
        cycles = [sum(r.cycles for r in rows if (r.run, r.phase) == (at, phase)) for at in (0, 1)]
        work = speed = 0.0
        if all(instructions):
            cpi = [c / i for c, i in zip(cycles, instructions, strict=True)]
            work = (instructions[1] - instructions[0]) * (cpi[0] + cpi[1]) / 2
            speed = (cpi[1] - cpi[0]) * (instructions[0] + instructions[1]) / 2
        else:  # in one run alone: all of it is other work
            work = cycles[1] - cycles[0]
        out.append(Of((instructions[0], instructions[1]), (cycles[0], cycles[1]), work, speed))
    return out
