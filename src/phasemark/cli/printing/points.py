"""Phases and points of a run: a table with a row per point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phasemark.cli.printing.text import aligned, finite, plural
from phasemark.model import Intervals, Phases, Points

#: Heading, and the cell of a point.
Column = tuple[str, Callable[[dict[str, Any]], str]]


def summary(
    intervals: Intervals, phases: Phases, points: Points, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """The run in one JSON object: instructions, intervals, k, coverage, points and the phases' shares."""
    instructions = int(intervals.length.sum())
    shares = phases.shares(intervals.length.astype(np.float64) / max(instructions, 1))
    names = [name for name, value in vars(points).items() if isinstance(value, np.ndarray)]
    columns = [map(finite, getattr(points, name).tolist()) for name in names]
    return {
        "instructions": instructions,
        "intervals": len(intervals),
        "k": phases.k,
        "coverage": points.coverage,
        "method": points.method,
        "point_instructions": points.instructions,
        "points": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "shares": shares.tolist(),
        "scores": {str(k): score for k, score in phases.scores.items()},
        "notes": [*phases.model.get("notes", []), *notes],
    }


def lines(summary: dict[str, Any]) -> list[str]:
    """What `summary` says, as text.

    Where it holds `functions` (per phase, name -> share), each phase's hottest are shown.
    """
    run, simulated = summary["instructions"], summary["point_instructions"]
    points = sorted(summary["points"], key=lambda p: int(p["phase"]))
    columns = _columns(summary, points)
    cells = [[heading for heading, _ in columns], *([cell(point) for _, cell in columns] for point in points)]
    functions = [at for at, (heading, _) in enumerate(columns) if heading == _FUNCTIONS]
    return [
        f"{plural(run, 'instruction')}, {plural(summary['intervals'], 'interval')}, "
        f"{plural(summary['k'], 'phase')}",
        f"{plural(len(points), 'point')} of {plural(simulated, 'instruction')} ({simulated / run:.2%} of "
        f"the run) to stand for {summary['coverage']:.2%} of it",
        "",
        *aligned(cells, left=functions),
        *(f"note: {note}" for note in summary["notes"]),
    ]


_FUNCTIONS = "hottest functions"


def _columns(summary: dict[str, Any], points: list[dict[str, Any]]) -> list[Column]:
    """The columns that tell something about this run."""
    columns: list[Column] = [
        ("phase", lambda p: str(p["phase"])),
        ("share", lambda p: f"{summary['shares'][p['phase']]:.2%}"),
        ("weight", lambda p: f"{p['weight']:.4f}"),
        ("interval", lambda p: f"{p['interval']:,}"),
        ("start", lambda p: f"{p['start']:,}"),
        ("end", lambda p: f"{p['end']:,}"),
    ]
    if any(p["thread"] for p in points):
        columns.insert(3, ("thread", lambda p: str(p["thread"])))
    if any(p["warmup"] for p in points):
        columns.append(("warm-up", lambda p: f"{p['warmup']:,}"))
    if "functions" in summary:
        columns.append((_FUNCTIONS, lambda p: _functions(summary["functions"][p["phase"]])))
    return columns


def _functions(shares: dict[str, float]) -> str:
    """The functions worth a word, to a tenth of a percent as on the page, and what is left for all others."""
    shown = {name: share for name, share in shares.items() if share >= 0.0005}
    others = 1 - sum(shown.values())
    more = {"others": others} if shown and others >= 0.0005 else {}
    return ", ".join(f"{name} {share:.1%}" for name, share in {**shown, **more}.items())
