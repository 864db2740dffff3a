"""Rates of events beside code vectors: intervals of equal code that the machine does not run alike.

Code vectors do not see data: a loop over a table that fits the cache and one over a table that does not
execute the same blocks. How often caches, TLBs and predictors miss tells them apart, and what one machine
misses goes with what another does.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.model import Recipe, Signatures, given
from phasemark.model.given import IntervalsLike, MetricsLike
from phasemark.model.options import require_given, require_real

#: The counters whose rates are taken, of those that were measured.
EVENTS = (
    "l1i_misses",
    "l1d_misses",
    "l2_misses",
    "l3_misses",
    "dtlb_misses",
    "branch_mispredictions",
)

#: At least so much of the instructions must have been measured.
_LEAST = 0.5

#: Deviations that are smaller, of the mean, are rounding.
_ROUNDING = 1e-9


def event_rates(intervals: IntervalsLike, metrics: MetricsLike) -> Signatures:
    """Square roots of events per instruction, an interval a row.

    The root keeps rare bursts from outweighing everything, as it evens out the variance of counts.

    Args:
        intervals: of the run.
        metrics: of them, by run, thread and index; of whatever machine, so that a length may differ a
            little. Counters that are none of EVENTS are left aside.

    Returns:
        n x events doubles; an interval that was not measured has the mean of the others.

    Raises:
        DataError: no such events were counted, or in less than half of the run.
    """
    intervals, metrics = given.intervals(intervals), given.metrics(metrics)
    names = [name for name in EVENTS if name in metrics.counters]
    if not names:
        raise DataError(
            f"of {', '.join(EVENTS)} nothing was counted",
            hint="give metrics with one of them, or take blocks",
        )
    lengths = intervals.length.astype(np.float64)
    if not lengths.sum():
        raise DataError("no interval has an instruction", hint="profile or import a run that does something")
    weights = lengths / lengths.sum()
    rows = metrics.rows(intervals.run, intervals.thread, intervals.index)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = [np.sqrt(metrics.counters[name] / metrics.length)[rows] for name in names]
    matrix = np.where(rows[:, None] >= 0, np.stack(rates, axis=1), np.nan)
    there = np.isfinite(matrix).all(axis=1)
    if weights[there].sum() < _LEAST:
        raise DataError(
            f"events of {weights[there].sum():.0%} of the run were counted",
            hint="measure every interval: `phasemark profile --timing` or `phasemark simulate --full`",
        )
    matrix[~there] = weights[there] @ matrix[there] / weights[there].sum()
    return Signatures(matrix, weights, Recipe("rate", "none", len(names), 0, "event", " ".join(names)))


def combine(code: Signatures, events: Signatures | ArrayLike, share: float = 0.5) -> Signatures:
    """Code vectors and event rates side by side, so that both count in distances.

    Each kind of event is standardised, weighed with the instructions; together they have `share` of the
    variance. An event that does not vary counts for nothing.

    Args:
        code: n x d.
        events: of the same intervals: what `event_rates` gives, or any table of n rows.
        share: of the whole variance, from 0 to below 1.

    Returns:
        n x (d + events).

    Raises:
        UsageError: a share that makes no sense.
        DataError: events of other intervals, or a value that is not finite.
    """
    require_given(share=share)
    require_real(share=share)
    if not 0 <= share < 1:
        raise UsageError(f"the share of events is {share:g}", hint="it must be 0 or more, and below 1")
    table, names = _table(events)
    if len(table) != len(code):
        raise DataError(
            f"events of {counted(len(table), 'interval')}, but signatures of {len(code):,}",
            hint="take metrics of this run",
        )
    if not np.isfinite(table).all():
        raise DataError("a rate of events is no number", row=int(np.argmin(np.isfinite(table).all(axis=1))))
    standard = _standard(table, code.weights)
    of_code = float(code.weights @ ((code.matrix - code.weights @ code.matrix) ** 2).sum(axis=1))
    varying = int(np.count_nonzero(standard.any(axis=0)))
    # Of code that is all alike, events decide alone, on a scale of their own.
    scale = np.sqrt(share / (1 - share) * (of_code or 1.0) / max(varying, 1))
    matrix = np.hstack([code.matrix, standard * scale])
    beside = f"{code.recipe.events} {names}".strip()
    recipe = dataclasses.replace(code.recipe, dims=matrix.shape[1], events=beside)
    return Signatures(matrix, code.weights, recipe)


def _table(events: Signatures | ArrayLike) -> tuple[NDArray[np.float64], str]:
    if isinstance(events, Signatures):
        return events.matrix, events.recipe.events
    table = np.asarray(events, np.float64)
    if table.ndim != 2:
        raise DataError(
            f"a table of events with {table.ndim} dimensions", hint="give a row for each interval"
        )
    return table, "given"


def _standard(table: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    mean = weights @ table
    off = table - mean
    deviation = np.sqrt(weights @ off**2)
    varies = deviation > _ROUNDING * np.abs(mean)
    return np.asarray(off / np.where(varies, deviation, 1.0) * varies, np.float64)
