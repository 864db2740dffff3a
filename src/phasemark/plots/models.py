"""Models: side by side, as likely and as good as they are.

"Probabilistic generative models", figures 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.compared import Compared, Series
from phasemark.views.measures import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Of models, and of what they see.
_COLOURS = {"simpoint": style.INK, "mixture": "#de8d21", "hmm": "#3c72c3", "hsmm": "#5a9a3c"}
#: Mixtures and hidden Markov models mostly agree: what lies beneath shows around what lies above.
_MARKERS: dict[str, dict[str, Any]] = {
    "simpoint": {"marker": "D", "ms": 4.0},
    "mixture": {"marker": "s", "ms": 6.5, "mfc": "none"},
    "hmm": {"marker": "o", "ms": 3.0},
    "hsmm": {"marker": "^", "ms": 7.5, "mfc": "none"},
}
_LINES = {"full": "-", "reweight": "--", "random": ":", "projected": "-."}


def draw(analysis: Analysis) -> Figure:
    """Log likelihood over states, and errors of points against it and against how many points there are.

    Raises:
        DataError: models were not compared.
    """
    shown = analysis.compared
    if shown is None or not shown.fits:
        raise DataError("models were not compared", hint="run `phasemark models DIR` first")
    drawers: list[Callable[[Axes, Compared], None]] = [
        _likelihood,
        *([_against] if shown.of_likelihood else []),
    ]
    drawers += [partial(_errors, way=way) for way in shown.ways]
    figure = style.figure(7.0, 2.7 * ((len(drawers) + 1) // 2) + 0.5)
    panels = figure.subplots((len(drawers) + 1) // 2, min(2, len(drawers)), squeeze=False).ravel()
    for axes in panels[len(drawers) :]:
        axes.set_axis_off()
    for axes, draw_panel in zip(panels, drawers, strict=False):
        draw_panel(axes, shown)
        axes.grid(axis="y")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def _likelihood(axes: Axes, shown: Compared) -> None:
    for series in shown.series:
        _line(axes, series, shown.likelihoods(series))
    axes.set_title("log likelihood", fontweight="normal", fontsize=8)
    axes.set_ylabel("nats an instruction of evidence")
    _doubling(axes, "states asked for")


def _against(axes: Axes, shown: Compared) -> None:
    for series in shown.series:
        points = np.array(shown.against_likelihood(series)).reshape(-1, 2)
        axes.plot(points[:, 0], 100 * points[:, 1], ls="", **_marker(series), **_colour(series))
    axes.set_title(f"error against likelihood, {_way(shown.of_likelihood)}", fontweight="normal", fontsize=8)
    axes.set_xlabel("log likelihood")
    axes.set_ylabel(_error(shown))
    axes.set_ylim(bottom=0)


def _errors(axes: Axes, shown: Compared, way: tuple[str, str]) -> None:
    for series in shown.series:
        found = [(x, 100 * y, 100 * low, 100 * high) for x, y, low, high in shown.errors(series, way)]
        _line(axes, series, found)
    axes.set_title(f"error, {_way(way)}", fontweight="normal", fontsize=8)
    axes.set_ylabel(_error(shown))
    axes.set_ylim(bottom=0)
    _doubling(axes, "points")


def _line(axes: Axes, series: Series, found: list[tuple[float, float, float, float]]) -> None:
    """A line through means; where seeds differ, bars from the lowest to the highest."""
    x, y, low, high = np.array(found).reshape(-1, 4).T
    line = _LINES.get(series[1], "-")
    axes.plot(x, y, line, lw=1.2, label=" ".join(series), **_marker(series), **_colour(series))
    if (high > low).any():
        axes.vlines(x, low, high, lw=0.8, **_colour(series))


def _marker(series: Series) -> dict[str, Any]:
    return _MARKERS.get(series[0], {"marker": "o", "ms": 3.0})


def _colour(series: Series) -> dict[str, Any]:
    return {"color": _COLOURS.get(series[0], style.SOFT)}


def _doubling(axes: Axes, label: str) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(label)


def _way(way: tuple[str, str] | None) -> str:
    return " and ".join(way) if way else ""


def _error(shown: Compared) -> str:
    of = f" of {label(shown.metric)}" if shown.metric else ""
    return f"mean error{of} of an interval, %" if shown.by_interval else f"error{of} of the run, %"
