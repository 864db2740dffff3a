"""Data: an analysis as one plain dictionary that JSON can hold: everything the page shows, nothing of how.

Tables with a row an interval are arrays in base64, little-endian, `{"type": "f8", "data": "..."}`;
a page of 10,000 intervals stays below 2 MB.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.report import behaviours, lanes, metrics
from phasemark.report.comparison import comparison
from phasemark.report.machine import machine
from phasemark.report.models import models
from phasemark.report.packing import pack
from phasemark.views import distances, hottest, measures, path, places, recipes, strata, sums
from phasemark.views.analysis import Analysis
from phasemark.views.behaviour import Behaviour, behaviour
from phasemark.views.cards import cards
from phasemark.views.contrast import contrasts
from phasemark.views.hottest import Hottest
from phasemark.views.icicle import Icicle, icicle
from phasemark.views.machine_names import short
from phasemark.views.origin import origin, warnings
from phasemark.views.palette import COLOURS, colours
from phasemark.views.places import Places
from phasemark.views.rows import Rows, rows
from phasemark.views.scores import scores
from phasemark.views.sources import Sources
from phasemark.views.starts import starts
from phasemark.views.threads import threads

#: A longer run is shown in this many rows, each of several intervals.
ROWS = 20_000
#: Rows and columns of the similarity matrix.
CELLS = 500
#: Distances between signatures beyond this share of them are not told apart: a start would outshine all.
FEW = 0.95
#: Cells of the icicle.
NODES = 30_000
#: Functions named for each row, and functions and lines for each phase.
TOP_OF_ROW = 5
TOP_OF_PHASE = 6
#: Places named in which two phases of one function differ.
DIFFERENCES = 3


def collect(analysis: Analysis) -> dict[str, Any]:
    """What the page shows. The profile's blocks should carry their functions and lines."""
    shown = rows(analysis, ROWS)
    functions = places.functions(analysis.profile.block_table)
    cells = shown.cells(CELLS)
    of_rows, of_cells = sums.gathered(
        analysis.profile.vectors,
        hottest.grouping(shown.group, functions),
        distances.grouping(shown.bounds[cells]),
    )
    known = behaviour(analysis.profile, analysis.phases)
    phases = _phases(analysis, functions, known)
    hottest_of = [short(phase["functions"][0][0]) if phase["functions"] else "" for phase in phases]
    return {
        "name": analysis.name,
        "summary": vars(analysis.summary),
        "threads": _threads(analysis, shown),
        "rows": _rows(shown, hottest.first(of_rows, TOP_OF_ROW)),
        "places": "Functions" if any(analysis.profile.block_table.function or ()) else "Blocks",
        "functions": functions.names,
        "icicle": _icicle(analysis),
        "palette": list(COLOURS),
        "matrix": _matrix(analysis, shown, cells, distances.between(of_cells)),
        "path": _path(analysis, shown),
        "scores": _scores(analysis),
        "machine": machine(analysis),
        "compared": models(analysis),
        "beside_code": recipes.beside_code(analysis.signatures.recipe),
        "behaviour": known and behaviours.table(known),
        "measures": metrics.measures(analysis),
        "phases": phases,
        "lanes": lanes.lanes(analysis, shown.bounds),
        "scaling": lanes.scaling(analysis, hottest_of),
        "comparison": comparison(analysis, hottest_of),
        "points": _points(analysis),
        "no_point": strata.no_point(analysis.points),
        "weights": strata.weights(analysis.points),
        "metrics": metrics.graphs(analysis, shown.bounds),
        "estimates": metrics.estimates(analysis),
        "forecast": metrics.forecast(analysis),
        "confidence": analysis.confidence,
        "quality": metrics.quality(analysis),
        "provenance": origin(analysis),
        "warnings": warnings(analysis),
    }


def _threads(analysis: Analysis, shown: Rows) -> list[dict[str, Any]]:
    """One entry a thread: its rows [first, last)."""
    entries = []
    for thread in threads(analysis.profile):
        first, last = shown.of_thread(thread)
        of = {"label": thread.label, "short": thread.short, "run": thread.run, "thread": thread.thread}
        entries.append({**of, "first": first, "last": last, "instructions": thread.instructions})
    return entries


def _rows(shown: Rows, hot: Hottest) -> dict[str, Any]:
    return {
        "start": pack(shown.start, "f8"),
        "length": pack(shown.length, "f8"),
        "index": pack(shown.index, "u4"),
        "count": pack(shown.count, "u4"),
        "phase": pack(shown.phase, "u2"),
        "top": TOP_OF_ROW,
        "hot": pack(hot.place, "i4"),
        "share": pack(np.rint(hot.share * 200), "u1"),
    }


def _icicle(analysis: Analysis) -> dict[str, Any] | None:
    """The cells of the hierarchy, and where each thread's levels begin among them; null without one."""
    if analysis.hierarchy is None:
        return None
    made = icicle(analysis.hierarchy, analysis.points, NODES)
    return {
        "nodes": len(analysis.hierarchy),
        "threads": _first_cells(made),
        "bases": made.bases,
        "levels": made.levels,
        "start": pack(made.start, "f8"),
        "parent": pack(made.parent, "i4"),
        "count": pack(made.count, "u4"),
        "bottom": pack(made.bottom, "u1"),
        "deepest": pack(made.deepest, "u1"),
        "label": pack(made.label, "i2"),
        "shortest": made.shortest,
        "shortest_in_points": made.shortest_in_points,
    }


def _first_cells(made: Icicle) -> list[dict[str, Any]]:
    """One entry a thread: the first cell of each row, and last where the thread's cells end."""
    key = np.stack([made.run, made.thread], axis=1)
    begin = np.flatnonzero(np.any(np.diff(key, axis=0, prepend=-1) != 0, axis=1))
    entries = []
    for first, end in zip(begin.tolist(), np.append(begin[1:], len(made)).tolist(), strict=True):
        rows = first + np.searchsorted(made.row[first:end], np.arange(made.bases[-1] + 1))
        entries.append({"run": int(key[first, 0]), "thread": int(key[first, 1]), "first": rows.tolist()})
    return entries


def _matrix(
    analysis: Analysis, shown: Rows, cells: NDArray[np.int64], far: NDArray[np.float64]
) -> dict[str, Any]:
    """Distances between cells of rows: the upper triangle, row by row, 0 to 2 as 0 to 255.

    Where phases were told apart by more than code, those in what they were found in, too (`found`).
    """
    upper = far[np.triu_indices(len(far), 1)]
    is_code = not analysis.signatures.recipe.events
    return {
        "size": len(far),
        "even": shown.even,
        "first": cells.tolist(),
        "distance": pack(np.rint(upper * 127.5), "u1"),
        "found": None if is_code else _found(analysis, shown.bounds[cells]),
    }


def _found(analysis: Analysis, bounds: NDArray[np.int64]) -> dict[str, Any]:
    """Distances between signatures; those beyond `most`, which few are, as 255."""
    upper = distances.between_signatures(analysis.signatures, bounds)
    most = float(np.quantile(upper, FEW)) if len(upper) else 0.0
    most = most or float(upper.max(initial=0.0)) or 1.0
    return {"most": most, "distance": pack(np.rint(np.minimum(upper / most, 1) * 255), "u1")}


def _path(analysis: Analysis, shown: Rows) -> dict[str, Any]:
    """Rows in three dimensions, scaled so that the farthest is at 32,767."""
    trajectory = path.trajectory(analysis.signatures)
    points = trajectory.in_bins(shown.bounds)
    reach = float(np.abs(points).max(initial=0.0)) or 1.0
    packed = pack(np.rint(points / reach * 32767), "i2")
    return {"points": packed, "reach": reach, "kept": trajectory.kept}


def _scores(analysis: Analysis) -> dict[str, Any]:
    shown = scores(analysis.phases)
    return {
        "k": shown.k,
        "name": shown.name,
        "bic": shown.score,
        "inertia": shown.inertia,
        "threshold": shown.threshold and {"t": shown.threshold.share, "bic": shown.threshold.score},
        "chosen": shown.chosen,
    }


def _phases(analysis: Analysis, functions: Places, known: Behaviour | None) -> list[dict[str, Any]]:
    blocks = analysis.profile.block_table
    sources, lines = Sources(blocks), places.lines(blocks)
    beside = contrasts(analysis, functions, places.finest(blocks), DIFFERENCES)
    values = metrics.rows(measures.of_phases(analysis), analysis.phases.k)
    does = behaviours.phases(analysis, known, beside)
    return [
        {
            "name": name,
            "share": card.share,
            "intervals": card.intervals,
            "colour": colour,
            "functions": card.functions,
            "lines": [(*line, sources.line(line[0])) for line in card.lines],
            "lined": card.lined,
            "beside": contrast and vars(contrast),
            "begins": begin and vars(begin),
            "points": card.points,
            "values": measured,
            "does": done,
        }
        for name, card, colour, measured, contrast, begin, done in zip(
            analysis.phases.names,
            cards(analysis, functions, lines, TOP_OF_PHASE),
            colours(analysis.phases.k),
            values,
            beside,
            starts(analysis),
            does,
            strict=True,
        )
    ]


def _points(analysis: Analysis) -> list[dict[str, Any]]:
    names = ("run", "thread", "interval", "phase", "start", "end", "warmup", "weight")
    columns = (getattr(analysis.points, name).tolist() for name in names)
    values = metrics.rows(measures.of_points(analysis), len(analysis.points))
    rows = zip(*columns, strict=True)
    return [
        {**dict(zip(names, row, strict=True)), "values": measured}
        for row, measured in zip(rows, values, strict=True)
    ]
