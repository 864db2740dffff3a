"""Two runs beside one another."""

from __future__ import annotations

import itertools
import shutil
import textwrap
from typing import Any

import numpy as np

from phasemark.cli.printing.text import finite, phase_name
from phasemark.errors import counted
from phasemark.views.machine_names import fitted, short
from phasemark.views.text import aligned, folded
from phasemark.workflow import ComparisonResult

#: Characters of a function's name: at least, and where the terminal has room for them.
_NAME, _LONGEST = 16, 40


def summary(result: ComparisonResult) -> dict[str, Any]:
    """Everything in one JSON object; what is not defined is null."""
    found = result.comparison
    rows = [
        {str(name): finite(_plain(value)) for name, value in row.items()}
        for row in found.frame().to_dict("records")
    ]
    whole = {name: value for name, value in rows[0].items() if name not in ("phase", "kind")}
    return {
        "sources": [str(source) for source in result.sources],
        "by": result.by,
        "unit": found.unit,
        "source": result.source,
        "whole": whole,
        "phases": [
            {**row, "name": name, "line": line}
            for row, name, line in zip(rows[1:], result.names, result.lines, strict=True)
        ],
        "functions": [vars(function) for function in result.functions],
        "unmeasured": found.unmeasured.tolist(),
        "sentences": list(result.sentences),
        "notes": list(result.notes),
    }


def lines(result: ComparisonResult) -> list[str]:
    """What there is to say, a row a phase, and the functions that differ most."""
    found = result.comparison
    room = shutil.get_terminal_size((80, 24)).columns
    source = f", measured by {result.source}" if result.source else ""
    told = (textwrap.wrap(sentence, room, break_on_hyphens=False) for sentence in result.sentences)
    notes = (textwrap.wrap(f"note: {note}", room, break_on_hyphens=False) for note in result.notes)
    out = [*itertools.chain(*told), "", f"{found.unit}{source}, in parts of all before", ""]
    rows = _phases(result, _NAME)
    if (spare := room - max(map(len, aligned(rows)))) > 0:
        rows = _phases(result, min(_NAME + spare, _LONGEST))
    out += folded(rows, room, keys=2)
    functions = _functions(result)
    if len(functions) > 1:
        out += ["", "functions whose instructions differ most", "", *folded(functions, room)]
    said = [*itertools.chain(*notes)]
    return [*out, *([""] if said else []), *said]


def _phases(result: ComparisonResult, width: int) -> list[list[str]]:
    """All times in parts of the first run's, so that rows add up to the first."""
    found = result.comparison
    base = float(found.whole[0]) or 1.0
    shown = [phase for phase in found.order() if found.is_worth_showing(phase)]
    rest = [phase for phase in range(found.k) if phase not in shown]
    tables = [found.time[0], found.time[1], found.change]
    heading = ["phase", "function", "before", "after", "change"]
    if found.cycles is not None:
        tables += [found.by_work, found.by_speed]
        heading += ["work", "speed", "CPI", "after"]
    cpi = np.vstack((found.cpi.T, found.whole_cpi))

    def cells(phases: list[int], cpis: int | None) -> list[str]:
        parts = [float(np.nansum(table[phases])) / base for table in tables]
        said = [f"{part:.1%}" if part else "-" for part in parts[:2]]
        said += [_signed(part) for part in parts[2:]]
        if found.cycles is None:
            return said
        return [*said, *(("", "") if cpis is None else map(_cpi, cpi[cpis]))]

    rows = [heading, ["all", "", *cells([*range(found.k)], -1)]]
    for phase in shown:
        name = fitted(result.names[phase], width)
        rows.append([phase_name(phase, result.transition), name, *cells([phase], phase)])
    if rest:
        rows.append(["", counted(len(rest), "other"), *cells(rest, None)])
    return rows


def _signed(part: float) -> str:
    """Nothing has no sign of its own."""
    return f"{part:+.1%}".replace("-0.0%", "+0.0%")


def _functions(result: ComparisonResult) -> list[list[str]]:
    whole = float(result.comparison.instructions.sum(axis=1).max())
    rows = [["function", "before", "after", "change"]]
    for one in result.functions:
        if abs(one.after - one.before) >= 0.001 * whole:
            name = fitted(short(one.name), _LONGEST)
            rows.append([name, f"{one.before:,}", f"{one.after:,}", f"{one.after - one.before:+,}"])
    return rows


def _cpi(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.3g}"


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
