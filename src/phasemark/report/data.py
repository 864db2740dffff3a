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
from phasemark.views import bins, distances, hottest, path
from phasemark.views.palette import colours
from phasemark.views.run import Run
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


def collect(run: Run) -> dict[str, Any]:
    """What the page shows of `run`. The run's blocks should carry their functions and lines."""
    bounds = bins.cut(run.profile.interval_table.first_of_thread(), ROWS)
    functions = hottest.functions(run.profile.block_table)
    return {
        "name": run.name,
        "summary": _summary(run),
        "threads": _threads(run, bounds),
        "rows": _rows(run, bounds, functions),
        "places": "Functions" if any(run.profile.block_table.function or ()) else "Blocks",
        "functions": functions.names,
        "matrix": _matrix(run, bounds),
        "path": _path(run, bounds),
        "scores": _scores(run),
        "phases": _phases(run, functions),
        "points": _points(run),
        "metrics": metrics.graphs(run, bounds),
        "estimates": metrics.estimates(run),
        "quality": metrics.quality(run),
        "provenance": _provenance(run),
        "warnings": [*run.profile.provenance.warnings, *run.phases.model.get("notes", ())],
    }


def _summary(run: Run) -> dict[str, Any]:
    return {
        "instructions": run.profile.instructions,
        "intervals": len(run.profile.interval_table),
        "interval": run.profile.provenance.interval,
        "blocks": len(run.profile.block_table),
        "k": run.phases.k,
        "points": len(run.points),
        "coverage": run.points.coverage,
        "simulated": run.points.instructions,
    }


def _threads(run: Run, bounds: NDArray[np.int64]) -> list[dict[str, Any]]:
    """One entry a thread: its rows [first, last)."""
    intervals = run.profile.interval_table
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


def _rows(run: Run, bounds: NDArray[np.int64], functions: hottest.Places) -> dict[str, Any]:
    intervals, first = run.profile.interval_table, bounds[:-1]
    member = np.repeat(np.arange(len(first)), np.diff(bounds))
    hot = hottest.hottest(run.profile.vectors, member, functions, TOP_OF_ROW)
    return {
        "start": pack(intervals.start[first], "f8"),
        "length": pack(np.add.reduceat(intervals.length, first) if len(first) else [], "f8"),
        "index": pack(intervals.index[first], "u4"),
        "count": pack(np.diff(bounds), "u4"),
        "phase": pack(bins.majority(bounds, run.phases.labels, run.signatures.weights), "u2"),
        "top": TOP_OF_ROW,
        "hot": pack(hot.place, "i4"),
        "share": pack(np.rint(hot.share * 200), "u1"),
    }


def _matrix(run: Run, bounds: NDArray[np.int64]) -> dict[str, Any]:
    """Distances between cells of rows: the upper triangle, row by row, 0 to 2 as 0 to 255."""
    breaks = run.profile.interval_table.first_of_thread()[bounds[:-1]]
    if breaks.sum() > CELLS // 2:  # Hundreds of threads: a cell may then span several.
        breaks = np.zeros_like(breaks)
        breaks[:1] = True
    cells = bins.cut(breaks, CELLS)
    far = distances.manhattan(run.profile.vectors, bounds[cells])
    upper = far[np.triu_indices(len(far), 1)]
    return {"size": len(far), "first": cells.tolist(), "distance": pack(np.rint(upper * 127.5), "u1")}


def _path(run: Run, bounds: NDArray[np.int64]) -> dict[str, Any]:
    """Rows in three dimensions, scaled so that the farthest is at 32,767."""
    found = path.trajectory(run.signatures)
    sums = np.add.reduceat(found.points, bounds[:-1], axis=0) if len(found.points) else found.points
    points = sums / np.diff(bounds)[:, None]
    reach = float(np.abs(points).max(initial=0.0)) or 1.0
    return {"points": pack(np.rint(points / reach * 32767), "i2"), "kept": found.kept}


def _scores(run: Run) -> dict[str, Any]:
    scores, inertia = run.phases.scores, run.phases.inertia
    ks, chosen_by = sorted(scores), threshold(run)
    return {
        "k": ks,
        "bic": [scores[k] for k in ks],
        "inertia": [inertia.get(k) for k in ks],
        "threshold": {"t": chosen_by[0], "bic": chosen_by[1]} if chosen_by else None,
        "chosen": run.phases.k,
    }


def _phases(run: Run, functions: hottest.Places) -> list[dict[str, Any]]:
    lines = hottest.lines(run.profile.block_table)
    vectors, labels = run.profile.vectors, run.phases.labels.astype(np.int64)
    hot_functions = hottest.hottest(vectors, labels, functions, TOP_OF_PHASE)
    hot_lines = hottest.hottest(vectors, labels, lines, TOP_OF_PHASE)
    sizes = np.bincount(labels, minlength=run.phases.k)
    return [
        {
            "share": float(run.shares[phase]),
            "intervals": int(sizes[phase]),
            "colour": colour,
            "functions": _named(hot_functions, phase, functions),
            "lines": _named(hot_lines, phase, lines),
            "points": np.flatnonzero(run.points.phase == phase).tolist(),
        }
        for phase, colour in enumerate(colours(run.phases.k))
    ]


def _named(found: hottest.Hottest, group: int, places: hottest.Places) -> list[list[Any]]:
    """[name, what it belongs to, share] of the group's hottest places, traces left out."""
    pairs = zip(found.place[group].tolist(), found.share[group].tolist(), strict=True)
    return [[*places.names[place], share] for place, share in pairs if place >= 0 and share >= TRACE]


def _points(run: Run) -> list[dict[str, Any]]:
    names = ("run", "thread", "interval", "phase", "start", "end", "warmup", "weight")
    columns = (getattr(run.points, name).tolist() for name in names)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _provenance(run: Run) -> list[list[str]]:
    """(what, value) in the order a reader asks."""
    p, recipe = run.profile.provenance, asdict(run.signatures.recipe)
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
        "phases": _words({key: value for key, value in run.phases.model.items() if key != "notes"}),
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
