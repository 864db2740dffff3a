"""Metrics for the page: values of its rows, estimates, and quality."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.quality.table import Row
from phasemark.report.packing import pack
from phasemark.views.analysis import Analysis
from phasemark.views.behaviour import over_run
from phasemark.views.estimates import in_order
from phasemark.views.graphs import in_bins
from phasemark.views.measures import Measures, label, of_phases, of_points
from phasemark.views.quality import homogeneity

#: Phases in the table beside the whole.
LARGEST = 8


def graphs(analysis: Analysis, bounds: NDArray[np.int64]) -> list[dict[str, Any]]:
    """One entry a metric, or a rate of behaviour: its value in every row of the page; NaN where it has none.

    Behaviour comes last, under names that no metric has.
    """
    of_behaviour = [replace(one, name=f"behaviour {one.name}") for one in over_run(analysis.profile)]
    return [
        {"name": metric.name, "title": metric.title, "values": pack(in_bins(metric, bounds), "f4")}
        for metric in [*analysis.measured(), *of_behaviour]
    ]


def estimates(analysis: Analysis) -> list[dict[str, Any]]:
    """The estimates in the order to show them; what is not known or not bounded is null."""
    known = [estimate for estimate in analysis.estimates if not math.isnan(estimate.value)]
    first, again = in_order(known)
    return [
        {
            **{name: _finite(value) for name, value in vars(estimate).items()},
            "half_width": _finite(estimate.relative_half_width),
            "error": _finite(estimate.error),
            "covered": estimate.covered,
            "doubles": doubles,
        }
        for doubles, part in ((False, first), (True, again))
        for estimate in part
    ]


def forecast(analysis: Analysis) -> str:
    """CPI's error bar beside the one that was forecast, written as the page does; empty of nothing."""
    found = [one for one in analysis.estimates if one.metric == "cpi" and not math.isnan(one.value)]
    if analysis.forecast is None or not found:
        return ""
    said = analysis.forecast.beside(found[0].relative_half_width, analysis.confidence)
    return said.replace("+-", "±").replace("%", " %")


def measures(analysis: Analysis) -> dict[str, Any]:
    """What the values of phases and of points are; null where nothing was measured."""
    found = {"phases": of_phases(analysis), "points": of_points(analysis)}
    return {
        what: measured
        and {
            "names": [{"name": name, "label": label(name)} for name in measured.names],
            "source": measured.source,
        }
        for what, measured in found.items()
    }


def rows(measured: Measures | None, n: int) -> list[list[Any]]:
    """The values of n phases or points; a row is empty where nothing was measured."""
    if measured is None:
        return [[] for _ in range(n)]
    return [[_finite(value) for value in row] for row in measured.values.tolist()]


def quality(analysis: Analysis) -> dict[str, Any] | None:
    """Mean and relative deviation of each metric in the whole run and its largest phases, CoV, CIM."""
    shown = homogeneity(analysis, LARGEST)
    if shown is None:
        return None
    return {
        "sample": analysis.sample,
        "foremost": shown.foremost,
        "largest": shown.largest,
        "phases": [_cell(row) for row in shown.beside],
        "whole": [
            {
                **_cell(metric.classified),
                "before": _finite(metric.full.cov),
                "cim_before": _finite(metric.full.cim),
            }
            for metric in shown.whole
        ],
        "missing": shown.missing,
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
