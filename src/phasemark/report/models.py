"""Models side by side for the page: charts, a table, and what one sees in them."""

from __future__ import annotations

import math
import re
from typing import Any

from phasemark.store.models_csv import FitRow
from phasemark.views.analysis import Analysis
from phasemark.views.compared import Compared
from phasemark.views.compared_words import best, criterion, error_named, lead, reading, value
from phasemark.views.verdicts import BASELINE, verdicts

#: What is told of a fit: heading, what of it, whether it is a share.
_COLUMNS = (
    ("likelihood", "log_likelihood", False),
    ("BIC", "bic", False),
    ("held out", "held_out", False),
    ("CoV", "cov", True),
)


def models(analysis: Analysis) -> dict[str, Any] | None:
    """The comparison as the page draws it; null where models were not compared."""
    shown = analysis.compared
    if shown is None or not shown.fits:
        return None
    columns = [column for column in _COLUMNS if any(math.isfinite(getattr(f, column[1])) for f in shown.fits)]
    heads = [{"name": name, "share": share} for name, _, share in columns]
    if shown.of_likelihood:
        heads.append({"name": f"error ({', '.join(shown.of_likelihood)})", "share": True})
    return {
        "said": _spaced(reading(shown)),
        "lead": lead(shown),
        "series": [{"model": model, "sees": sees} for model, sees in shown.series],
        "charts": _charts(shown),
        **_beside(shown),
        "columns": heads,
        "fits": [_fit(shown, fit, [name for _, name, _ in columns]) for fit in shown.fits],
    }


def _beside(shown: Compared) -> dict[str, Any]:
    """A row a criterion: the best, SimPoint's best, and how often each model is better than SimPoint."""
    found = verdicts(shown.fits, shown.points)
    if all(math.isnan(one.baseline) for one in found):
        return {"others": [], "verdicts": []}
    others = [f"{model} ({seen})" for model, seen in shown.series if model != BASELINE]
    rows = [
        {
            "criterion": criterion(one),
            "best": best(one) + (f", {one.how}" if one.how else ""),
            "value": _spaced(value(one, one.value)),
            "baseline": _spaced(value(one, one.baseline)),
            "wins": [one.better.get(name) for name in others],
        }
        for one in found
    ]
    return {"others": others, "verdicts": rows}


def _spaced(text: str) -> str:
    """With percent signs as the page has them."""
    return re.sub(r"(?<=\d)%", " %", text)


def _fit(shown: Compared, fit: FitRow, names: list[str]) -> dict[str, Any]:
    values = [getattr(fit, name) for name in names]
    if shown.of_likelihood:
        values.append(shown.error_of_fit(fit))
    return {
        "series": shown.series.index((fit.model, fit.representation)),
        "states": fit.states,
        "seed": fit.seed,
        "used": fit.used,
        "values": [value if math.isfinite(value) else None for value in values],
    }


def _charts(shown: Compared) -> list[dict[str, Any]]:
    """Likelihoods, errors against them, and errors against points; those that something is known of."""
    error = error_named(shown)
    charts = [
        _chart("Log likelihood", "higher is better", "states asked for", _likelihoods(shown), zero=False),
    ]
    if way := shown.of_likelihood:
        said = f"{error}, {', '.join(way)}"
        charts.append(
            _chart("Error against likelihood", said, "log likelihood", _against(shown), lines=False)
        )
    for way in shown.ways:
        charts.append(_chart("Error", f"{error}, {', '.join(way)}", "points", _errors(shown, way)))
    return [chart for chart in charts if chart["marks"]]


def _chart(
    title: str, said: str, x: str, marks: list[list[Any]], *, lines: bool = True, zero: bool = True
) -> dict[str, Any]:
    """What is drawn with lines is over doubling numbers; what begins at zero is an error, in percent.

    Marks are series, states, x, y, and y's lowest and highest over seeds.
    """
    if zero:
        marks = [[*mark[:3], *(100 * value for value in mark[3:])] for mark in marks]
    return {"title": title, "said": said, "x": x, "lines": lines, "log": lines, "zero": zero, "marks": marks}


def _likelihoods(shown: Compared) -> list[list[Any]]:
    return [
        [at, int(states), states, *values]
        for at, series in enumerate(shown.series)
        for states, *values in shown.likelihoods(series)
    ]


def _against(shown: Compared) -> list[list[Any]]:
    found = []
    for fit in shown.fits:
        error = shown.error_of_fit(fit)
        if math.isfinite(error):
            at = shown.series.index((fit.model, fit.representation))
            found.append([at, fit.states, fit.log_likelihood, error, error, error])
    return found


def _errors(shown: Compared, way: tuple[str, str]) -> list[list[Any]]:
    return [
        [at, states, *values]
        for at, series in enumerate(shown.series)
        for states, values in zip(shown.states(series, way), shown.errors(series, way), strict=True)
    ]
