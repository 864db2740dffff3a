"""Placing: of which intervals of a run readings are, its points, its intervals, or the whole run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.formats.metrics.readings import Readings
from phasemark.formats.vectors.lengths import slack
from phasemark.model import RATIOS, Intervals, Metrics, Points

__all__ = ["of_intervals", "of_points", "of_run", "on_its_own"]

#: Ratios that a simulator may give in place of counts; IPC is CPI upside down.
_RATIOS = {ratio.name: ratio for ratio in RATIOS}
_RATIOS["ipc"] = _RATIOS["cpi"]

#: How far a whole run may be off the profile's instructions: other runs of a program differ a little.
_TOLERANCE = 0.05


def of_points(readings: Readings, points: Points) -> Metrics:
    """Metrics of simulation points: rows that name interval or phase, else one for each point in order.

    Rows that are files whose names differ in one number, which is an interval of a point in each, are of
    those points.

    Points without a row are missing.

    Raises:
        DataError: a row is of no point, two are of one, or its instructions are not the point's.
        UsageError: rows that name nothing, and not as many as points.
    """
    n = len(points)
    if "interval" in readings.keys:
        at = _by_key(readings, points.run, points.thread, points.interval, "simulation point")
    elif "phase" in readings.keys:
        at = _by_phase(readings, points)
    elif (named := _by_name(readings.labels, points)) is not None:
        at = named
    elif len(readings) == n:
        at = np.arange(n)
    else:
        raise UsageError(
            f"{counted(len(readings), 'result')} for {counted(n, 'point')}",
            hint="name one file for each point, in the order of points.csv, or a CSV whose rows name them",
        )
    key = (points.run, points.thread, points.interval, points.start, points.end - points.start)
    return _placed(readings, at, key)


def of_intervals(readings: Readings, intervals: Intervals) -> Metrics:
    """Metrics of a profile's intervals: rows that name the interval, else one for each in order.

    Raises:
        DataError: a row is of no interval, two are of one, or its instructions are not the interval's.
        UsageError: rows that name nothing, and not as many as intervals.
    """
    n = len(intervals)
    if "interval" in readings.keys:
        at = _by_key(readings, intervals.run, intervals.thread, intervals.index, "interval")
    elif len(readings) == n:
        at = np.arange(n)
    elif len(readings) == n - 1 or len(readings) == n + 1:
        # A last interval that one of the two dropped, or did not.
        at = np.arange(min(n, len(readings)))
        readings = _rows(readings, at)
    else:
        raise UsageError(
            f"{counted(len(readings), 'row')} for {counted(n, 'interval')}",
            hint="measure in the profile's intervals, or import the whole run as one with --of run",
        )
    return _placed(
        readings,
        at,
        tuple(getattr(intervals, name) for name in ("run", "thread", "index", "start", "length")),
    )


def of_run(readings: Readings, instructions: int) -> Metrics:
    """Metrics of a whole run, as one row.

    Args:
        readings: one row, or rows that lie one after the other, which are added up.
        instructions: that the run executed, as the profile knows; 0: nothing is known.

    Raises:
        DataError: its instructions are not those of the run.
        UsageError: more than one row.
    """
    if {"start", "length"} <= readings.keys.keys() and "interval" not in readings.keys:
        readings = _added_up(readings)
    if len(readings) != 1:
        raise UsageError(
            f"{len(readings):,} rows for one run",
            hint="name one file; or say --of intervals, or --of points",
        )
    counted = readings.counters.get("instructions", np.array([np.nan]))[0]
    length = instructions if np.isnan(counted) else round(float(counted))
    if instructions and abs(length - instructions) > _TOLERANCE * instructions:
        raise DataError(
            f"counts {length:,} instructions, and the run has {instructions:,}",
            hint="name the metrics of this run, another dump (--dump), or --of points",
        )
    zero = np.zeros(1, np.int64)
    return _metrics(readings, zero, (zero, zero, zero, zero, np.array([length])))


def _added_up(readings: Readings) -> Readings:
    """All rows as one; a counter that is missing in one of them is missing."""
    return replace(
        readings,
        counters={name: values.sum(keepdims=True) for name, values in readings.counters.items()},
        keys={},
    )


def on_its_own(readings: Readings) -> Metrics:
    """Metrics whose rows have start and length, as intervals of a run without a profile.

    Raises:
        UsageError: the rows do not say where they are.
    """
    if not {"start", "length"} <= readings.keys.keys():
        raise UsageError(
            "these metrics do not say where in the run they are",
            hint="import them into the folder of the run they belong to",
        )
    n = len(readings)
    zero = np.zeros(n, np.int64)
    index = readings.keys.get("interval", np.arange(n))
    run, thread = (readings.keys.get(name, zero) for name in ("run", "thread"))
    order = np.lexsort((index, thread, run))
    keys = (run, thread, index, readings.keys["start"], readings.keys["length"])
    return _metrics(_rows(readings, order), np.arange(n), tuple(key[order] for key in keys))


def _by_key(
    readings: Readings, run: NDArray[np.int32], thread: NDArray[np.int32], index: NDArray[np.int64], what: str
) -> NDArray[np.int64]:
    """The row of the run that each reading is of."""
    known = {key: i for i, key in enumerate(zip(run.tolist(), thread.tolist(), index.tolist(), strict=True))}
    zero = np.zeros(len(readings), np.int64)
    columns = [readings.keys.get(name, zero).tolist() for name in ("run", "thread", "interval")]
    rows = np.array([known.get(key, -1) for key in zip(*columns, strict=True)], np.int64)
    if (strange := np.flatnonzero(rows < 0)).size:
        row = int(strange[0])
        raise DataError(
            f"interval {columns[2][row]:,} is no {what} of this run",
            row=row,
            hint="name intervals by their number in the thread, from 0, as in points.csv and phases.csv",
        )
    return _each_once(rows, what)


def _by_phase(readings: Readings, points: Points) -> NDArray[np.int64]:
    phases = points.phase.tolist()
    known, times = {phase: i for i, phase in enumerate(phases)}, Counter(phases)
    rows = np.zeros(len(readings), np.int64)
    for row, phase in enumerate(readings.keys["phase"].tolist()):
        if times[phase] != 1:
            raise DataError(
                f"phase {phase} has {times[phase] or 'no'} points",
                row=row,
                hint="name phases of points.csv; where a phase has several points, name the interval",
            )
        rows[row] = known[phase]
    return _each_once(rows, "phase")


def _by_name(labels: Sequence[str], points: Points) -> NDArray[np.int64] | None:
    """The point of each file, by the one number in which their names differ; None where that is none.

    Raises:
        UsageError: the files are numbered otherwise, and not in order: a shell puts 10 before 2.
    """
    numbers = [re.findall(r"\d{1,18}", label) for label in labels]
    texts = {re.sub(r"\d{1,18}", "#", label) for label in labels}
    if len(labels) < 2 or len(texts) > 1:
        return None
    differing = [column for column in zip(*numbers, strict=True) if len(set(column)) > 1]
    if len(differing) != 1:
        return None
    named = [int(number) for number in differing[0]]
    intervals = points.interval.tolist()
    if set(named) <= set(intervals) and len(set(intervals)) == len(intervals):
        return _each_once(np.array([intervals.index(number) for number in named], np.int64), "point")
    if named != sorted(named):
        raise UsageError(
            f"the files are numbered {', '.join(map(str, named[:8]))}, and taken in this order",
            hint="name them in ascending order (`ls -v`), or number them by the interval of their point",
        )
    return None


def _each_once(rows: NDArray[np.int64], what: str) -> NDArray[np.int64]:
    _, first = np.unique(rows, return_index=True)
    if (again := np.setdiff1d(np.arange(len(rows)), first)).size:
        raise DataError(f"a {what} has two rows", row=int(again[0]), hint="leave one of them out")
    return rows


def _rows(readings: Readings, at: NDArray[np.int64]) -> Readings:
    return replace(
        readings,
        counters={name: values[at] for name, values in readings.counters.items()},
        keys={name: values[at] for name, values in readings.keys.items()},
    )


def _placed(readings: Readings, at: NDArray[np.int64], key: Sequence[NDArray[Any]]) -> Metrics:
    """As `_metrics`, where the rows say nothing against being of these intervals."""
    for name, known in (("start", key[3][at]), ("length", key[4][at])):
        stated = readings.keys.get(name, known)
        if (off := stated != known).any():
            row = int(np.argmax(off))
            raise DataError(
                f"{name} is {stated[row]:,}, that of interval {key[2][at[row]]:,} is {known[row]:,}",
                row=row,
                hint="name the metrics of this run",
            )
    metrics = _metrics(readings, at, key)
    _require_lengths(metrics)
    return metrics


def _metrics(readings: Readings, at: NDArray[np.int64], key: Sequence[NDArray[Any]]) -> Metrics:
    """Readings as metrics of the rows `at` of a table with these keys, in its order."""
    order = np.argsort(at, kind="stable")
    run, thread, index, start, length = (column[at[order]] for column in key)
    counters = {name: values[order] for name, values in readings.counters.items()}
    counters = _with_counts(counters, length.astype(np.float64))
    units = {name: readings.units[name] for name in counters if name in readings.units}
    return Metrics(run, thread, index, start, length, counters, units, readings.source)


def _with_counts(
    counters: Mapping[str, NDArray[np.float64]], length: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Counts in place of ratios: `l2_misses` from `l2_mpki`, cycles from CPI or IPC.

    Ratios cannot be added up; where the counts are there too, those are taken.

    Raises:
        DataError: a ratio to something that was not counted.
    """
    counted = {name: values for name, values in counters.items() if name not in _RATIOS}
    given = {name: counters[name] for name in _RATIOS if name in counters}
    if (ipc := given.pop("ipc", None)) is not None:
        with np.errstate(divide="ignore"):
            given.setdefault("cpi", 1 / ipc)
    for name, values in given.items():
        ratio = _RATIOS[name]
        if ratio.numerator in counted:
            continue
        of = counted.get(ratio.denominator, length if ratio.denominator == "instructions" else None)
        if of is None:
            raise DataError(
                f"{name} alone does not say how many {ratio.numerator} there were",
                hint=f"add a column {ratio.numerator} or {ratio.denominator}",
            )
        with np.errstate(over="ignore", invalid="ignore"):
            counts = values * of / ratio.scale
        counted[ratio.numerator] = np.where(np.isfinite(counts), counts, np.nan)
    return counted


def _require_lengths(metrics: Metrics) -> None:
    """Instructions counted are the interval's, but for where a tool cuts."""
    counted = metrics.counters.get("instructions")
    if counted is None:
        return
    allowed = np.array([slack(length) for length in metrics.length.tolist()])
    off = np.abs(counted - metrics.length) > allowed
    if off.any():
        row = int(np.argmax(off))
        raise DataError(
            f"counts {counted[row]:,.0f} instructions in interval {metrics.index[row]:,}, which has "
            f"{metrics.length[row]:,}",
            row=row,
            hint="are they of this run, and of the dump that was meant?",
        )
