"""Metrics for the page: values of its rows, estimates, and quality."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.quality.measured import Measured, foremost
from phasemark.quality.table import ALL, FULL, Row, table
from phasemark.report.packing import pack
from phasemark.views.analysis import Analysis

#: Phases in the table beside the whole.
LARGEST = 8


def graphs(analysis: Analysis, bounds: NDArray[np.int64]) -> list[dict[str, Any]]:
    """One entry a metric: its value in every row of the page, NaN where it was not measured."""
    return [
        {"name": one.name, "title": one.title, "values": pack(_in_rows(one, bounds), "f4")}
        for one in analysis.measured()
    ]


def _in_rows(one: Measured, bounds: NDArray[np.int64]) -> NDArray[np.float64]:
    if not len(one.values):
        return one.values
    # What has no value weighs nothing.
    sums = np.add.reduceat(np.nan_to_num(one.values) * one.weights, bounds[:-1])
    weights = np.add.reduceat(one.weights, bounds[:-1])
    return np.asarray(np.divide(sums, weights, out=np.full(len(sums), np.nan), where=weights > 0))


def estimates(analysis: Analysis) -> list[dict[str, Any]]:
    """The rows of estimate.csv; what is not known or not bounded is null."""
    return [
        {name: _finite(value) for name, value in vars(one).items()}
        for one in analysis.estimates
        if not math.isnan(one.value)
    ]


def quality(analysis: Analysis) -> dict[str, Any] | None:
    """Mean and relative deviation of each metric in the whole run and its largest phases, CoV, CIM."""
    if analysis.metrics is None:
        return None
    names = [one.name for one in analysis.measured()]
    rows = table(analysis.metrics, analysis.profile.interval_table, analysis.phases, names, n=analysis.sample)
    largest = np.argsort(-analysis.shares, kind="stable")[:LARGEST].tolist()
    beside = {FULL, *map(str, largest)}
    return {
        "sample": analysis.sample,
        "foremost": foremost(names),
        "largest": largest,
        "phases": [_cell(row) for row in rows if row.phase in beside],
        "whole": [
            {**_cell(row), "before": _finite(full.cov), "cim_before": _finite(full.cim)}
            for full, row in zip(
                (row for row in rows if row.phase == FULL),
                (row for row in rows if row.phase == ALL),
                strict=True,
            )
        ],
        "missing": [[row.metric, row.missing] for row in rows if row.phase == FULL and row.missing],
        "against_k": {
            name: {column: [_finite(value) for value in values] for column, values in by_k.items()}
            for name, by_k in analysis.against_k.items()
        },
    }


def _cell(row: Row) -> dict[str, Any]:
    names = ("metric", "phase", "share", "mean", "cov", "cim", "deviation_reduction")
    return {name: _finite(getattr(row, name)) for name in names}


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
