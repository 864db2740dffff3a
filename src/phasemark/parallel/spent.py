"""What runs spend in phases: their cycles, and what of them is not known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.model import Intervals, Metrics, Profile
from phasemark.quality.measured import rows_of

#: A run of which no more is missing was measured.
NEGLIGIBLE = 0.01


def cycles_of_all(table: Metrics | None, intervals: Intervals) -> Metrics | None:
    """The metrics, if cycles of all runs are among them; one that lacks them would look fast.

    Of a single run some cycles are better than none.

    Raises:
        DataError: the metrics are of other intervals.
    """
    if table is None or not len(table) or "cycles" not in table.counters:
        return None
    runs, of_run = np.unique(intervals.run, return_inverse=True)
    missing = unmeasured(of_run.reshape(-1), intervals, cycles_of(table, intervals), len(runs))
    return table if len(runs) < 2 or float(missing.max(initial=0)) <= NEGLIGIBLE else None


def unit_of(profile: Profile) -> str:
    """Of the lengths of intervals: samples of a clock have nanoseconds."""
    unit = profile.provenance.unit
    return unit.removeprefix("sampled ") if unit.startswith("sampled ") else "instructions"


def cycles_of(table: Metrics, intervals: Intervals) -> NDArray[np.float64]:
    """Of each interval; NaN where they were not measured.

    Raises:
        DataError: no cycles were counted, or the metrics are of other intervals.
    """
    if "cycles" not in table.counters:
        raise DataError(
            "no cycles were measured, of which elapsed time is made",
            hint="profile with --timing, or leave the metrics out: time is then counted in instructions",
        )
    rows = rows_of(table, intervals)
    if not len(table):
        return np.full(len(intervals), np.nan)
    return np.where(rows >= 0, table.counters["cycles"][rows], np.nan)


def summed(cell: NDArray[np.int64], values: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """Sums of what is known; NaN where nothing is known of what there is."""
    there = np.isfinite(values)
    sums = np.bincount(cell, np.where(there, values, 0.0), cells)
    empty = np.bincount(cell, minlength=cells) == 0
    return np.where(empty | (np.bincount(cell, there, cells) > 0), sums, np.nan)


def unmeasured(
    of_run: NDArray[np.int64], intervals: Intervals, cycles: NDArray[np.float64] | None, runs: int
) -> NDArray[np.float64]:
    """Share of each run's instructions whose cycles are not known."""
    if cycles is None:
        return np.zeros(runs)
    length = intervals.length.astype(np.float64)
    missing = np.bincount(of_run, length * ~np.isfinite(cycles), runs).astype(np.float64)
    return np.nan_to_num(ratio(missing, np.bincount(of_run, length, runs).astype(np.float64)))


def ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """NaN where one of both is 0."""
    above, below = np.broadcast_arrays(above, below)
    out = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=(below > 0) & (above > 0)))
