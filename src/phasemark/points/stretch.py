"""One stretch of the run: from its start, or after a part is skipped. Baselines, not samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.population import Population

#: Part of the run that is skipped.
SKIPPED = 0.1


def start_rows(population: Population, counts: NDArray[np.int64], seed: int = 0) -> NDArray[np.int64]:
    """The first intervals, as many as the counts make up."""
    return _in_time(population)[: counts.sum()]


def skip_rows(population: Population, counts: NDArray[np.int64], seed: int = 0) -> NDArray[np.int64]:
    """As many intervals as the counts make up, after a tenth of the instructions (or as late as they fit)."""
    rows = _in_time(population)
    ends = np.cumsum(population.intervals.length[rows])
    first = min(int(np.searchsorted(ends, SKIPPED * ends[-1], side="right")), len(rows) - int(counts.sum()))
    return rows[first : first + counts.sum()]


def _in_time(population: Population) -> NDArray[np.int64]:
    """The rows that can be points, by start; threads side by side."""
    rows = np.flatnonzero(population.possible)
    return rows[np.argsort(population.intervals.start[rows], kind="stable")]
