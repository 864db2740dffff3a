"""Estimate: metrics of the whole run with their error bars, against the full run where it is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.plots.choice import chosen
from phasemark.views import estimates
from phasemark.views.analysis import Analysis
from phasemark.views.quality import lie_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis, metrics: Sequence[str] = ()) -> Figure:
    """One row a metric: estimate and confidence interval, in percent of the full run's value or its own.

    Args:
        analysis: of a run.
        metrics: to draw, in this order; none: all but those that say the same events per reference again,
            in the report's order.

    Raises:
        DataError: nothing was estimated, or one of these metrics was not.
    """
    known = estimates.shown(analysis.estimates)
    if not known:
        raise DataError("nothing was estimated", hint="run `phasemark estimate DIR` first")
    shown = chosen({estimate.metric: estimate for estimate in known}, metrics) or estimates.in_order(known)[0]
    figure = style.figure(7.0, 0.7 + 0.24 * len(shown))
    axes = figure.subplots()
    against_full = any(math.isfinite(estimate.full) for estimate in shown)
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
    offsets = [abs(end) for estimate in shown for end in estimate.offsets() if math.isfinite(end)]
    if lie_apart(offsets) and max(offsets) > 100:  # one row's error must not press all others together
        axes.set_xscale("symlog", linthresh=10)
        axes.xaxis.set_major_formatter("{x:g}")
    label = "estimate against the full run, %" if against_full else "confidence interval, % of the estimate"
    axes.set_xlabel(f"{label} (logarithmic beyond 10)" if axes.get_xscale() == "symlog" else label)
    return figure
