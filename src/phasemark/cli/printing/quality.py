"""How homogeneous the phases of a run are."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Sequence
from typing import Any

from phasemark.cli.printing import markers
from phasemark.cli.printing.text import finite, number, phase_name
from phasemark.errors import counted
from phasemark.intervals import PhaseMarkers
from phasemark.quality.measured import foremost
from phasemark.quality.table import ALL, FULL, Row
from phasemark.views.text import folded, percent
from phasemark.workflow import QualityResult


def summary(result: QualityResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not defined is null."""
    out = {
        **dataclasses.asdict(result.options),
        "source": result.source,
        "metrics": {
            name: {row.phase: _plain(row) for row in result.rows if row.metric == name}
            for name in result.metrics
        },
        "notes": list(result.notes),
    }
    if result.against_k:
        out["against_k"] = [_plain(one) for one in result.against_k]
    return out


def lines(result: QualityResult, largest: int, each: bool, begins: PhaseMarkers | None = None) -> list[str]:
    """The metrics in all, the largest phases beside the whole, and with `each` every phase.

    With `begins`, what the largest phases begin with.
    """
    most = max((result.row(name, FULL).intervals for name in result.metrics), default=result.intervals)
    part = f"{most:,} of " if most < result.intervals else ""
    of = f"{part}{counted(result.intervals, 'interval')}"
    out = [f"{of}, measured by {result.source or 'an unnamed source'}", ""]
    room = shutil.get_terminal_size((120, 24)).columns
    out += folded([_OVERALL, *(_overall(result, name) for name in result.metrics)], room)
    out += ["", *folded(beside(result, foremost(result.metrics), largest), room, keys=2)]
    if begins is not None:
        phases = [int(row.phase) for row in result.phases()[: None if each else largest]]
        out += ["", *markers.lines(markers.summary(begins), phases, result.transition)]
    if each:
        for name in result.metrics:
            out += [
                "",
                name,
                *folded(
                    [_EACH, *([_name(result, row.phase), *_each(row)] for row in _of(result, name))], room
                ),
            ]
    if result.against_k:
        out += ["", *folded(_by_k(result), room)]
    return [*out, *(f"note: {note}" for note in result.notes)]


_OVERALL = ["metric", "mean", "CoV", "within phases", "CIM", "with phases", "less deviation"]
_EACH = ["phase", "share", "intervals", "mean", "CoV", "CIM", "less deviation", "sample"]


def _overall(result: QualityResult, name: str) -> list[str]:
    full, every = result.row(name, FULL), result.row(name, ALL)
    return [
        name,
        number(full.mean),
        percent(full.cov),
        percent(every.cov),
        percent(full.cim / 100),
        percent(every.cim / 100),
        percent(every.deviation_reduction),
    ]


def beside(result: QualityResult, metrics: Sequence[str], largest: int) -> list[list[str]]:
    """Table 1 of "Discovering and exploiting program phases": mean (deviation / mean) of each metric.

    Of the whole, and of so many of the largest phases.
    """
    phases = result.phases()[:largest]
    out = [["phase", "share", *metrics]]
    for phase, share in [(FULL, 1.0), *((row.phase, row.share) for row in phases)]:
        cells = [result.row(name, phase) for name in metrics]
        out.append(
            [_name(result, phase), percent(share), *(f"{number(c.mean)} ({percent(c.cov)})" for c in cells)]
        )
    return out


def _name(result: QualityResult, phase: str) -> str:
    return phase_name(int(phase), result.transition) if phase.isdecimal() else phase


def _of(result: QualityResult, name: str) -> list[Row]:
    phases = [row.phase for row in result.phases()]
    return [result.row(name, phase) for phase in [FULL, ALL, *phases]]


def _each(row: Row) -> list[str]:
    reduction = "" if row.phase == FULL else percent(row.deviation_reduction)
    return [
        percent(row.share),
        f"{row.intervals:,}",
        number(row.mean),
        percent(row.cov),
        percent(row.cim / 100),
        reduction,
        f"{row.sample:.4g}",
    ]


def _by_k(result: QualityResult) -> list[list[str]]:
    names = foremost(result.metrics)
    cells = {(one.metric, one.k): one for one in result.against_k}
    out = [["k", *(f"{name} CoV, CIM" for name in names)]]
    for k in sorted({one.k for one in result.against_k}):
        of = [cells[name, k] for name in names]
        out.append([str(k), *(f"{percent(one.cov)}, {percent(one.cim / 100)}" for one in of)])
    return out


def _plain(value: Any) -> dict[str, Any]:
    """A row as JSON can hold it."""
    return {name: finite(v) for name, v in dataclasses.asdict(value).items()}
