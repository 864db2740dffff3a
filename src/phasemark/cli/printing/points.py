"""Phases and points of a run: a table with a row per point."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phasemark.cli.printing import behaviour as behaviours
from phasemark.cli.printing import markers, states
from phasemark.cli.printing.names import distinct
from phasemark.cli.printing.text import finite, phase_name, weight
from phasemark.errors import counted
from phasemark.intervals import PhaseMarkers
from phasemark.model import AnalysedProcess, Intervals, Phases, Points, shares
from phasemark.model.points import GIVEN
from phasemark.model.provenance import INSTRUCTIONS
from phasemark.views.strata import WEIGHTS
from phasemark.views.text import aligned

#: Heading, and the cell of a point.
Column = tuple[str, Callable[[dict[str, Any]], str]]


def summary(
    intervals: Intervals | None,
    phases: Phases | None,
    points: Points,
    notes: Sequence[str] = (),
    process: AnalysedProcess | None = None,
    *,
    begins: PhaseMarkers | None = None,
    unit: str = INSTRUCTIONS,
    compared_by: str | None = None,
    behaviour: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The run in one JSON object: instructions, intervals, k, coverage, points and the phases' shares.

    What a run without a profile, or without phases, does not know is null. Of one in intervals of variable
    length it has, too, what those of each phase begin with. Lengths are in `length_unit`, of samples perhaps
    nanoseconds. `signature` is the one that phases were found in, if in any; `behaviour` is what phases do
    with memory and branches (`behaviour.summary`), where that is known.
    """
    names = [name for name, value in vars(points).items() if isinstance(value, np.ndarray)]
    columns = [map(finite, getattr(points, name).tolist()) for name in names]
    instructions = None if intervals is None else int(intervals.length.sum())
    return {
        "process": None if process is None else dataclasses.asdict(process),
        "instructions": instructions,
        "length_unit": unit,
        "intervals": None if intervals is None else len(intervals),
        "k": None if phases is None else phases.k,
        "signature": compared_by,
        **({} if phases is None or phases.transition is None else {"transition": phases.transition}),
        "coverage": points.coverage,
        "method": points.method,
        "point_instructions": points.instructions,
        "points": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "shares": _shares(intervals, phases),
        "phase_intervals": None
        if phases is None
        else np.bincount(phases.labels, minlength=phases.k).tolist(),
        "states": None if phases is None else states.summary(phases),
        "scores": {} if phases is None else {str(k): score for k, score in phases.scores.items()},
        "notes": [*([] if phases is None else [*phases.model.get("notes", []), *_single(phases)]), *notes],
        **({} if begins is None else {"begins": markers.summary(begins)}),
        **({} if behaviour is None else {"behaviour": behaviour}),
    }


def _shares(intervals: Intervals | None, phases: Phases | None) -> list[float] | None:
    if intervals is None or phases is None:
        return None
    weights = intervals.length.astype(np.float64)
    return list(phases.shares(weights / max(weights.sum(), 1)).tolist())


def _single(phases: Phases) -> list[str]:
    """What to do about phases of a single interval, where another criterion would find fewer."""
    single = _singles(np.bincount(phases.labels, minlength=phases.k).tolist())
    chosen = phases.model.get("k") is None and phases.model.get("select") == "bic-threshold"
    if 3 * single < phases.k or single < 3 or not chosen:
        return []
    return [
        "many phases are of a single interval: bic-threshold, SimPoint's rule, rises with every k; "
        "`phasemark phases DIR --select noise-floor` looks for phases that come back"
    ]


def _singles(sizes: Sequence[int]) -> int:
    return sum(size == 1 for size in sizes)


def lines(summary: dict[str, Any], *, picked: bool = True) -> list[str]:
    """What `summary` says, as text.

    Where it holds `functions` (per phase, name -> share), each phase's hottest are shown.

    Args:
        summary: see there.
        picked: False: the run's points are others, or not picked yet; shown are typical intervals.
    """
    simulated = summary["point_instructions"]
    # Given points stand as in points.csv: in this order their results are named.
    given = summary["method"] == GIVEN
    order = _heaviest_first(summary)
    points = sorted(summary["points"], key=lambda p: 0 if given else order.index(p["phase"]))
    of_run = (
        f" ({shares.written(simulated / summary['instructions'])} of the run)"
        if summary["instructions"]
        else ""
    )
    covered = f"{shares.written(summary['coverage'])} of {'it' if of_run else 'the run'}"
    what = "the interval nearest to each phase's centre, as `phasemark points` picks it:"
    if picked:
        guards = sum(bool(point.get("guard")) for point in points)
        beside = f" and {counted(guards, 'guard')}" if guards else ""
        size = f"{counted(len(points) - guards, 'point')}{beside}"
        size += f" of {counted(simulated, _unit(summary))}{of_run}"
        what = f"{size} to stand for {covered}"
    return [
        *_of_run(summary),
        what,
        "",
        *_tables(summary, points),
        *behaviours.lines(summary, order),
        *(
            ["", *markers.lines(summary["begins"], order, summary.get("transition"))]
            if "begins" in summary
            else []
        ),
        *(
            states.table(summary["states"], sum(summary["phase_intervals"]))
            if summary["states"] and not picked
            else []
        ),
        *(f"note: {note}" for note in [*_of_weights(points), *summary["notes"]]),
    ]


def _of_weights(points: list[dict[str, Any]]) -> list[str]:
    """Why those of a phase do not add up to its share; with guards, strata are what these were drawn from."""
    return [WEIGHTS] if any("strata" in point and "guard" not in point for point in points) else []


def _unit(summary: dict[str, Any]) -> str:
    """A single one of what lengths are in."""
    return str(summary.get("length_unit", INSTRUCTIONS)).removesuffix("s")


def _of_run(summary: dict[str, Any]) -> list[str]:
    """The line on the run, as far as it is known; of several processes, which this is."""
    names = {"instructions": _unit(summary), "intervals": "interval", "k": "phase"}
    known = [counted(summary[name], word) for name, word in names.items() if summary[name] is not None]
    if summary["k"] is not None and (compared_by := summary["signature"]):
        known[-1] += f" by {'code' if compared_by == 'blocks' else compared_by}"
    single = _singles(summary["phase_intervals"] or ())
    if single and summary["k"] > 1:
        known[-1] += f", {single} of them {'a single interval' if single == 1 else 'single intervals'}"
    process = summary["process"] and str(AnalysedProcess(**summary["process"]))
    of_states = states.lines(summary["states"]) if summary["states"] else []
    return [*filter(None, [process]), *([", ".join(known)] if known else []), *of_states]


def _heaviest_first(summary: dict[str, Any]) -> list[int]:
    """The phases by their share of the run, else by what their points weigh; of equal ones by number."""
    weights: dict[int, float] = {}
    for point in summary["points"]:
        weights[point["phase"]] = weights.get(point["phase"], 0.0) + point["weight"]
    if summary["shares"] is not None:
        weights |= dict(enumerate(summary["shares"]))
    return sorted(weights, key=lambda phase: (-round(weights[phase], 9), phase))


_FUNCTIONS = "hottest functions"
#: Characters of a line that they need beside the points; where fewer are left, they have their own table.
_LEAST = 40
#: Characters that a name has in any case: of less, nobody can tell which it is.
_SHORTEST = 24


def _tables(summary: dict[str, Any], points: list[dict[str, Any]]) -> list[str]:
    """A row a point; the functions beside them, or below where the terminal is too narrow for both."""
    columns = _columns(summary, points)
    if "functions" not in summary:
        return _table(columns, points)
    room = _room(columns, points)
    if room >= _LEAST:
        return _table([*columns, _of_functions(summary, room)], points)
    of_phases = list({point["phase"]: point for point in points}.values())
    own = [column for column in columns if column[0] in ("phase", "share")]
    below = [*own, _of_functions(summary, _room(own, of_phases))]
    return [*_table(columns, points), "", *_table(below, of_phases)]


def _table(columns: list[Column], points: list[dict[str, Any]]) -> list[str]:
    cells = [[heading for heading, _ in columns], *([cell(point) for _, cell in columns] for point in points)]
    return aligned(cells, left=[at for at, (heading, _) in enumerate(columns) if heading == _FUNCTIONS])


def _columns(summary: dict[str, Any], points: list[dict[str, Any]]) -> list[Column]:
    """The columns that tell something about this run, but for functions."""
    columns: list[Column] = [
        ("phase", lambda p: phase_name(p["phase"], summary.get("transition"))),
        ("weight", lambda p: "guard" if p.get("guard") else weight(p["weight"])),
        ("interval", lambda p: f"{p['interval']:,}"),
        ("start", lambda p: f"{p['start']:,}"),
        ("end", lambda p: f"{p['end']:,}"),
    ]
    if summary["shares"] is not None:
        columns.insert(1, ("share", lambda p: shares.written(summary["shares"][p["phase"]])))
    if any(p["run"] for p in points):
        columns.insert(len(columns) - 3, ("run", lambda p: str(p["run"])))
    if any(p["thread"] for p in points):
        columns.insert(len(columns) - 3, ("thread", lambda p: str(p["thread"])))
    if any(p["warmup"] for p in points):
        columns.append(("warm-up", lambda p: f"{p['warmup']:,}"))
    return columns


def _of_functions(summary: dict[str, Any], room: int) -> Column:
    cells = _functions(summary["functions"], room)
    return _FUNCTIONS, lambda p: cells[p["phase"]]


def _room(columns: list[Column], points: list[dict[str, Any]]) -> int:
    """Characters that are left in a line for functions."""
    widths = [max(len(heading), *(len(cell(p)) for p in points), 0) for heading, cell in columns]
    return shutil.get_terminal_size((120, 24)).columns - sum(widths) - 2 * len(widths)


def _functions(of_phases: Sequence[dict[str, float]], room: int) -> list[str]:
    """Of each phase the functions worth a word, to a tenth of a percent, and what is left for all others.

    Names are cut, in all phases alike, where a phase's do not fit into `room` characters; where they still
    do not, the last are left to the others; one stays in any case, as long as it must be to differ from those
    of other rows. JSON holds them whole.
    """
    worth = [{name: share for name, share in row.items() if share >= 0.0005} for row in of_phases]
    names = list(dict.fromkeys(name for row in worth for name in row))
    longest = max(map(len, names), default=0)
    cells: list[str] = []
    for width in range(min(longest, max(room, _SHORTEST)), min(longest, _SHORTEST) - 1, -1):
        texts = distinct(names, width)
        cells = [_cell(row, texts) for row in worth]
        if all(len(cell) <= room for cell in cells):
            return cells
    for at, row in enumerate(worth):
        while len(row) > 1 and len(cells[at]) > room:
            row.popitem()
            cells[at] = _cell(row, texts)
    return cells


def _cell(functions: dict[str, float], texts: dict[str, str]) -> str:
    others = 1 - sum(functions.values())
    parts = [f"{texts[name]} {share:.1%}" for name, share in functions.items()]
    return ", ".join([*parts, f"others {others:.1%}"] if parts and others >= 0.0005 else parts)
