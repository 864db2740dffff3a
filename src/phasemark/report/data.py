"""Data: a run as one plain dictionary that JSON can hold: everything the page shows, nothing of how.

Tables with a row an interval are arrays in base64, little-endian, `{"type": "f8", "data": "..."}`;
a page of 10,000 intervals stays below 1 MB.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark._version import __version__
from phasemark.report import metrics
from phasemark.report.packing import pack
from phasemark.views import bins, distances, hottest, path, places
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.scores import threshold

#: A longer run is shown in this many rows, each of several intervals.
ROWS = 20_000
#: Rows and columns of the similarity matrix.
CELLS = 500
#: Functions named for each row, and functions and lines for each phase.
TOP_OF_ROW = 5
TOP_OF_PHASE = 6
#: A phase's place with a smaller share than this is not worth a line.
TRACE = 0.001


def collect(analysis: Analysis) -> dict[str, Any]:
    """What the page shows of `run`. The run's blocks should carry their functions and lines."""
    bounds = bins.cut(analysis.profile.interval_table.first_of_thread(), ROWS)
    functions = places.functions(analysis.profile.block_table)
    return {
        "name": analysis.name,
        "summary": _summary(analysis),
        "threads": _threads(analysis, bounds),
        "rows": _rows(analysis, bounds, functions),
        "places": "Functions" if any(analysis.profile.block_table.function or ()) else "Blocks",
        "functions": functions.names,
        "matrix": _matrix(analysis, bounds),
        "path": _path(analysis, bounds),
        "scores": _scores(analysis),
        "phases": _phases(analysis, functions),
        "points": _points(analysis),
        "metrics": metrics.graphs(analysis, bounds),
        "estimates": metrics.estimates(analysis),
        "quality": metrics.quality(analysis),
        "provenance": _provenance(analysis),
        "warnings": [*analysis.profile.provenance.warnings, *analysis.phases.model.get("notes", ())],
    }


def _summary(analysis: Analysis) -> dict[str, Any]:
    return {
        "instructions": analysis.profile.instructions,
        "intervals": len(analysis.profile.interval_table),
        "interval": analysis.profile.provenance.interval,
        "blocks": len(analysis.profile.block_table),
        "k": analysis.phases.k,
        "points": len(analysis.points),
        "coverage": analysis.points.coverage,
        "simulated": analysis.points.instructions,
    }


def _threads(analysis: Analysis, bounds: NDArray[np.int64]) -> list[dict[str, Any]]:
    """One entry a thread: its rows [first, last)."""
    intervals = analysis.profile.interval_table
    firsts = np.flatnonzero(intervals.first_of_thread())
    ends = np.append(firsts, len(intervals))[1:]
    several_runs = len(np.unique(intervals.run)) > 1
    return [
        {
            "label": (f"run {intervals.run[a]}, " if several_runs else "") + f"thread {intervals.thread[a]}",
            "run": int(intervals.run[a]),
            "thread": int(intervals.thread[a]),
            "first": int(np.searchsorted(bounds, a)),
            "last": int(np.searchsorted(bounds, b)),
            "instructions": int(intervals.length[a:b].sum()),
        }
        for a, b in zip(firsts.tolist(), ends.tolist(), strict=True)
    ]


def _rows(analysis: Analysis, bounds: NDArray[np.int64], functions: places.Places) -> dict[str, Any]:
    intervals, first = analysis.profile.interval_table, bounds[:-1]
    member = np.repeat(np.arange(len(first)), np.diff(bounds))
    hot = hottest.hottest(analysis.profile.vectors, member, functions, TOP_OF_ROW)
    return {
        "start": pack(intervals.start[first], "f8"),
        "length": pack(np.add.reduceat(intervals.length, first) if len(first) else [], "f8"),
        "index": pack(intervals.index[first], "u4"),
        "count": pack(np.diff(bounds), "u4"),
        "phase": pack(bins.majority(bounds, analysis.phases.labels, analysis.signatures.weights), "u2"),
        "top": TOP_OF_ROW,
        "hot": pack(hot.place, "i4"),
        "share": pack(np.rint(hot.share * 200), "u1"),
    }


def _matrix(analysis: Analysis, bounds: NDArray[np.int64]) -> dict[str, Any]:
    """Distances between cells of rows: the upper triangle, row by row, 0 to 2 as 0 to 255."""
    breaks = analysis.profile.interval_table.first_of_thread()[bounds[:-1]]
    if breaks.sum() > CELLS // 2:  # Hundreds of threads: a cell may then span several.
        breaks = np.zeros_like(breaks)
        breaks[:1] = True
    cells = bins.cut(breaks, CELLS)
    far = distances.manhattan(analysis.profile.vectors, bounds[cells])
    upper = far[np.triu_indices(len(far), 1)]
    return {"size": len(far), "first": cells.tolist(), "distance": pack(np.rint(upper * 127.5), "u1")}


def _path(analysis: Analysis, bounds: NDArray[np.int64]) -> dict[str, Any]:
    """Rows in three dimensions, scaled so that the farthest is at 32,767."""
    found = path.trajectory(analysis.signatures)
    sums = np.add.reduceat(found.points, bounds[:-1], axis=0) if len(found.points) else found.points
    points = sums / np.diff(bounds)[:, None]
    reach = float(np.abs(points).max(initial=0.0)) or 1.0
    return {"points": pack(np.rint(points / reach * 32767), "i2"), "kept": found.kept}


def _scores(analysis: Analysis) -> dict[str, Any]:
    scores, inertia = analysis.phases.scores, analysis.phases.inertia
    ks, chosen_by = sorted(scores), threshold(analysis)
    return {
        "k": ks,
        "bic": [scores[k] for k in ks],
        "inertia": [inertia.get(k) for k in ks],
        "threshold": {"t": chosen_by[0], "bic": chosen_by[1]} if chosen_by else None,
        "chosen": analysis.phases.k,
    }


def _phases(analysis: Analysis, functions: places.Places) -> list[dict[str, Any]]:
    lines = places.lines(analysis.profile.block_table)
    vectors, labels = analysis.profile.vectors, analysis.phases.labels.astype(np.int64)
    hot_functions = hottest.hottest(vectors, labels, functions, TOP_OF_PHASE)
    hot_lines = hottest.hottest(vectors, labels, lines, TOP_OF_PHASE)
    sizes = np.bincount(labels, minlength=analysis.phases.k)
    return [
        {
            "share": float(analysis.shares[phase]),
            "intervals": int(sizes[phase]),
            "colour": colour,
            "functions": _named(hot_functions, phase, functions),
            "lines": _named(hot_lines, phase, lines),
            "points": np.flatnonzero(analysis.points.phase == phase).tolist(),
        }
        for phase, colour in enumerate(colours(analysis.phases.k))
    ]


def _named(hot: hottest.Hottest, group: int, of: places.Places) -> list[list[Any]]:
    """[name, what it belongs to, share] of the group's hottest places, traces left out."""
    pairs = zip(hot.place[group].tolist(), hot.share[group].tolist(), strict=True)
    return [[*of.names[place], share] for place, share in pairs if place >= 0 and share >= TRACE]


def _points(analysis: Analysis) -> list[dict[str, Any]]:
    names = ("run", "thread", "interval", "phase", "start", "end", "warmup", "weight")
    columns = (getattr(analysis.points, name).tolist() for name in names)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _provenance(analysis: Analysis) -> list[list[str]]:
    """(what, value) in the order a reader asks."""
    p, recipe = analysis.profile.provenance, asdict(analysis.signatures.recipe)
    said = {
        "command": " ".join(p.command),
        "recorded by": f"{p.tool} {p.tool_version}".strip(),
        "analysed by": f"phasemark {__version__}",
        "profile made by": f"phasemark {p.phasemark}" if p.phasemark else "",
        "complete": "yes" if p.complete else "no: the run was cut short; this is its beginning",
        "unit": p.unit,
        "block": p.block_definition,
        "interval": f"{p.interval:,} instructions" if p.interval else "",
        "signatures": _words(recipe),
        "phases": _words({key: value for key, value in analysis.phases.model.items() if key != "notes"}),
        "details": _words(p.details),
    }
    return [[what, value] for what, value in said.items() if value]


def _words(values: dict[str, Any]) -> str:
    said = {key: _word(value) for key, value in sorted(values.items())}
    return ", ".join(f"{key.replace('_', ' ')} {word}" for key, word in said.items() if word)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_word, value))
    return "" if value is None else str(value)
