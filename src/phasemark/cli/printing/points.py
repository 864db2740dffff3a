"""Phases and points of a run: a table with a row per point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phasemark.cli.printing.text import aligned, finite, plural, weight
from phasemark.model import Intervals, Phases, Points, shares
from phasemark.model.points import GIVEN

#: Heading, and the cell of a point.
Column = tuple[str, Callable[[dict[str, Any]], str]]


def summary(
    intervals: Intervals | None, phases: Phases | None, points: Points, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """The run in one JSON object: instructions, intervals, k, coverage, points and the phases' shares.

    What a run without a profile, or without phases, does not know is null.
    """
    names = [name for name, value in vars(points).items() if isinstance(value, np.ndarray)]
    columns = [map(finite, getattr(points, name).tolist()) for name in names]
    instructions = None if intervals is None else int(intervals.length.sum())
    return {
        "instructions": instructions,
        "intervals": None if intervals is None else len(intervals),
        "k": None if phases is None else phases.k,
        "coverage": points.coverage,
        "method": points.method,
        "point_instructions": points.instructions,
        "points": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "shares": _shares(intervals, phases),
        "scores": {} if phases is None else {str(k): score for k, score in phases.scores.items()},
        "notes": [*([] if phases is None else phases.model.get("notes", [])), *notes],
    }


def _shares(intervals: Intervals | None, phases: Phases | None) -> list[float] | None:
    if intervals is None or phases is None:
        return None
    weights = intervals.length.astype(np.float64)
    return list(phases.shares(weights / max(weights.sum(), 1)).tolist())


def lines(summary: dict[str, Any]) -> list[str]:
    """What `summary` says, as text.

    Where it holds `functions` (per phase, name -> share), each phase's hottest are shown.
    """
    simulated = summary["point_instructions"]
    # Given points stand as in points.csv: in this order their results are named.
    given = summary["method"] == GIVEN
    points = sorted(summary["points"], key=lambda p: 0 if given else int(p["phase"]))
    columns = _columns(summary, points)
    cells = [[heading for heading, _ in columns], *([cell(point) for _, cell in columns] for point in points)]
    functions = [at for at, (heading, _) in enumerate(columns) if heading == _FUNCTIONS]
    of_run = (
        f" ({shares.written(simulated / summary['instructions'])} of the run)"
        if summary["instructions"]
        else ""
    )
    return [
        *_of_run(summary),
        f"{plural(len(points), 'point')} of {plural(simulated, 'instruction')}{of_run} to stand for "
        f"{shares.written(summary['coverage'])} of {'it' if of_run else 'the run'}",
        "",
        *aligned(cells, left=functions),
        *(f"note: {note}" for note in summary["notes"]),
    ]


def _of_run(summary: dict[str, Any]) -> list[str]:
    """The line on the run, as far as it is known."""
    names = {"instructions": "instruction", "intervals": "interval", "k": "phase"}
    known = [plural(summary[name], word) for name, word in names.items() if summary[name] is not None]
    return [", ".join(known)] if known else []


_FUNCTIONS = "hottest functions"


def _columns(summary: dict[str, Any], points: list[dict[str, Any]]) -> list[Column]:
    """The columns that tell something about this run."""
    columns: list[Column] = [
        ("phase", lambda p: str(p["phase"])),
        ("weight", lambda p: weight(p["weight"])),
        ("interval", lambda p: f"{p['interval']:,}"),
        ("start", lambda p: f"{p['start']:,}"),
        ("end", lambda p: f"{p['end']:,}"),
    ]
    if summary["shares"] is not None:
        columns.insert(1, ("share", lambda p: shares.written(summary["shares"][p["phase"]])))
    if any(p["thread"] for p in points):
        columns.insert(len(columns) - 3, ("thread", lambda p: str(p["thread"])))
    if any(p["warmup"] for p in points):
        columns.append(("warm-up", lambda p: f"{p['warmup']:,}"))
    if "functions" in summary:
        columns.append((_FUNCTIONS, lambda p: _functions(summary["functions"][p["phase"]])))
    return columns


def _functions(of_phase: dict[str, float]) -> str:
    """The functions worth a word, to a tenth of a percent as on the page, and what is left for all others."""
    shown = {name: share for name, share in of_phase.items() if share >= 0.0005}
    others = 1 - sum(shown.values())
    more = {"others": others} if shown and others >= 0.0005 else {}
    return ", ".join(f"{name} {share:.1%}" for name, share in {**shown, **more}.items())
