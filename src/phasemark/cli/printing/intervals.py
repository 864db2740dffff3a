"""Intervals of variable length, and the hierarchy that they are a selection of."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from phasemark.cli.printing import say
from phasemark.errors import counted
from phasemark.model import shares
from phasemark.views.text import aligned
from phasemark.workflow.intervals import IntervalsResult, Level


def lines(result: IntervalsResult) -> list[str]:
    """The levels and the selection, for people."""
    return [
        *(f"note: {note}" for note in result.notes),
        f"hierarchy of {counted(len(result.levels), 'level')}; taken are intervals of {result.minimum:,} to "
        f"{counted(result.maximum, 'instruction')}:",
        "",
        *table(result.levels, result.selected),
        "",
        *_outside(result),
        f"{_boundaries(result)}{result.cpu_seconds:.1f} s of CPU time",
    ]


def table(levels: Sequence[Level], taken: Level | None = None) -> list[str]:
    """A row a level, the coarsest first, and one of what was taken."""
    cells = [["level", "intervals", "median length", "mean length", "phases"]]
    cells += [_row(str(number), level) for number, level in enumerate(levels)]
    if taken is not None:
        cells.append(_row("taken", taken))
    return aligned(cells, left=(0,))


def warn(result: IntervalsResult) -> None:
    """What the user should know, even with --quiet."""
    for sentence in result.warnings:
        say(f"warning: {sentence}")


def summary(result: IntervalsResult) -> dict[str, Any]:
    """The same for scripts."""
    shorter, longer = result.shorter, result.longer
    return {
        "minimum": result.minimum,
        "maximum": result.maximum,
        "levels": [dataclasses.asdict(level) for level in result.levels],
        "intervals": dataclasses.asdict(result.selected) | {"phases": None},
        "shorter": {"intervals": shorter[0], "share": shorter[1]},
        "longer": {"intervals": longer[0], "share": longer[1]},
        "boundaries": dataclasses.asdict(result.boundaries),
        "cpu_seconds": result.cpu_seconds,
        "notes": list(result.notes),
        "warnings": list(result.warnings),
    }


def _row(name: str, level: Level) -> list[str]:
    phases = "" if level.phases is None else f"{level.phases:,}"
    return [name, f"{level.intervals:,}", f"{level.median:,.0f}", f"{level.mean:,.0f}", phases]


def _boundaries(result: IntervalsResult) -> str:
    of = result.boundaries
    if of.asked and of.unchecked == of.asked:
        asked = counted(of.asked, "boundary", "boundaries")
        return f"whether its {asked} were found again is not known, in "
    # Lost ones are warned of, once, with what may be the reason.
    return "" if of.lost else f"{of}, in "


def _outside(result: IntervalsResult) -> list[str]:
    """How many of the intervals are shorter or longer than asked for."""
    parts = [
        f"{number:,} {'is' if number == 1 else 'are'} {how} ({shares.written(share)} of the run)"
        for how, (number, share) in (("shorter", result.shorter), ("longer", result.longer))
        if number
    ]
    of = counted(len(result.intervals), "interval")
    if parts:
        return [f"of {of}, {' and '.join(parts)}"]
    if result.boundaries.lost:
        return []
    one = len(result.intervals) == 1
    return ["the only interval is of these lengths" if one else f"all {of} are of these lengths"]
