"""Estimate: metrics of the whole run with their error bars, against the full run where it is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views import estimates
from phasemark.views.analysis import Analysis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """One row a metric: estimate and confidence interval, in percent of the full run's value or its own.

    Raises:
        DataError: nothing was estimated.
    """
    shown = estimates.shown(analysis.estimates)
    if not shown:
        raise DataError("nothing was estimated", hint="run `phasemark estimate DIR` first")
    figure = style.figure(7.0, 0.7 + 0.24 * len(shown))
    axes = figure.subplots()
    known = any(math.isfinite(estimate.full) for estimate in shown)
    axes.axvline(0, color=style.INK, lw=0.8)
    for row, estimate in enumerate(shown):
        value, low, high = estimate.offsets()
        if estimate.bounded:
            axes.plot([low, high], [row, row], color=style.ACCENT, lw=2, solid_capstyle="butt")
        # Open where the points do not bound it.
        axes.plot(
            [value], [row], "o", ms=4.5, color=style.ACCENT, mfc=style.ACCENT if estimate.bounded else "white"
        )
    axes.set_yticks(range(len(shown)), [f"{estimate.metric}  {estimate.value:.4g}" for estimate in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.set_xlabel("estimate against the full run, %" if known else "confidence interval, % of the estimate")
    return figure
