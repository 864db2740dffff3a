"""Lanes for the page: threads side by side on one clock, and how phases scale with their number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel
from phasemark.report.packing import pack
from phasemark.views import scaling as words
from phasemark.views.analysis import Analysis
from phasemark.views.lanes import is_possible
from phasemark.views.lanes import lanes as lanes_of

#: Stretches of all lanes, at most; of one at least.
CELLS, LEAST = 100_000, 100


def lanes(analysis: Analysis, bounds: NDArray[np.int64]) -> dict[str, Any] | None:
    """What each thread does when, and when each row of the page began; null of one thread or no clock.

    Args:
        analysis: of one run or several.
        bounds: the rows' first intervals and, last, the number of intervals.
    """
    if not shows_threads(analysis):
        return None
    shown = lanes_of(analysis)
    begin = {run: shown.span(run)[0] for run in shown.runs}
    most = max(LEAST, CELLS // len(shown.lanes))
    cells = [shown.stretches(lane, most) for lane in range(len(shown.lanes))]
    starts = [start - begin[lane.run] for lane, (start, _, _) in zip(shown.lanes, cells, strict=True)]
    line = shown.timeline
    ran = ~line.idle
    began = line.start[ran] - np.array([begin[run] for run in line.run[ran].tolist()])
    return {
        "clock": line.clock,
        "first": np.cumsum([0, *map(len, starts)]).tolist(),
        "start": pack(np.concatenate(starts), "f8"),
        "phase": pack(np.concatenate([phase for _, _, phase in cells]), "i2"),
        "began": pack(began[bounds[:-1]], "f8"),
        "runs": [
            {
                "title": shown.title(run),
                "first": shown.of_run(run)[0],
                "last": shown.of_run(run)[-1] + 1,
                "length": shown.span(run)[1] - begin[run],
            }
            for run in shown.runs
        ],
    }


def scaling(analysis: Analysis, names: Sequence[str]) -> dict[str, Any] | None:
    """What phases make of threads: sentences and a table.

    Null of one thread, without a clock, and of several runs with equally many threads.

    Args:
        analysis: of one run or several.
        names: of the phases' hottest functions.
    """
    if not shows_threads(analysis) or _all_alike(analysis):
        return None
    metrics = parallel.cycles_of_all(analysis.metrics, analysis.profile.interval_table)
    found = parallel.scaling(analysis.profile, analysis.phases, metrics)
    tables = ("elapsed", "shares", "active", "speedup", "efficiency")
    return {
        "sentences": words.reading(found, names, analysis.phases.titles),
        "unit": found.unit,
        "source": metrics.source if metrics is not None else "",
        "threads": found.threads.tolist(),
        "base": found.base,
        "widest": found.widest,
        "time": found.time.tolist(),
        "whole_speedup": _plain(found.whole_speedup),
        "whole_efficiency": _plain(found.whole_efficiency),
        **{name: [_plain(row) for row in getattr(found, name)] for name in tables},
    }


def _all_alike(analysis: Analysis) -> bool:
    """Whether there are several runs, all with one number of threads."""
    table = analysis.profile.interval_table
    _, threads = np.unique(table.run[table.first_of_thread()], return_counts=True)
    return len(threads) > 1 and len(set(threads.tolist())) == 1


def shows_threads(analysis: Analysis) -> bool:
    """Whether there are several threads, and a clock of them."""
    several = int(analysis.profile.interval_table.first_of_thread().sum()) > 1
    return several and is_possible(analysis.profile)


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    """JSON has no NaN."""
    return [value if math.isfinite(value) else None for value in values.tolist()]
