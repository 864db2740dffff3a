"""Two runs side by side, for the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark import parallel
from phasemark.views import comparing as words
from phasemark.views.analysis import Analysis


def comparison(analysis: Analysis, names: Sequence[str]) -> dict[str, Any] | None:
    """What differs between two runs with equally many threads: sentences and a table; null of others.

    Runs with unlike numbers of threads are what `lanes.scaling` is of.

    Args:
        analysis: of any number of runs.
        names: of the phases' hottest functions.
    """
    if not words.of_two_alike(analysis.profile):
        return None
    metrics = parallel.cycles_of_all(analysis.metrics, analysis.profile.interval_table)
    found = parallel.compare(analysis.profile, analysis.phases, metrics)
    tables = {"time": found.time, "cpi": found.cpi if found.cycles is not None else np.zeros((0, found.k))}
    return {
        "sentences": words.reading(found, names, analysis.phases.titles),
        "unit": found.unit,
        "source": metrics.source if metrics is not None else "",
        "whole": found.whole.tolist(),
        "whole_cpi": _plain(found.whole_cpi),
        "kinds": list(found.kinds),
        "order": found.order(),
        "work": _plain(found.by_work),
        "speed": _plain(found.by_speed),
        **{name: [_plain(row) for row in table] for name, table in tables.items()},
    }


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    """JSON has no NaN."""
    return [value if math.isfinite(value) else None for value in values.tolist()]
