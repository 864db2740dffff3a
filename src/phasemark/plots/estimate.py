"""Estimate: metrics of the whole run with their error bars, against the full run where it is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views.run import Estimated, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(run: Run) -> Figure:
    """One row a metric: estimate and confidence interval, in percent of the full run's value or its own.

    Raises:
        DataError: nothing was estimated.
    """
    shown = [one for one in run.estimates if base(one)]
    if not shown:
        raise DataError("nothing was estimated", hint="run `phasemark estimate DIR` first")
    figure = style.figure(7.0, 0.7 + 0.24 * len(shown))
    axes = figure.subplots()
    known = any(math.isfinite(one.full) for one in shown)
    axes.axvline(0, color=style.INK, lw=0.8)
    for row, one in enumerate(shown):
        value, low, high = offsets(one)
        bounded = math.isfinite(high)
        if bounded:
            axes.plot([low, high], [row, row], color=style.ACCENT, lw=2, solid_capstyle="butt")
        # Open where the points do not bound it.
        axes.plot([value], [row], "o", ms=4.5, color=style.ACCENT, mfc=style.ACCENT if bounded else "white")
    axes.set_yticks(range(len(shown)), [f"{one.metric}  {one.value:.4g}" for one in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.set_xlabel("estimate against the full run, %" if known else "confidence interval, % of the estimate")
    return figure


def base(one: Estimated) -> float:
    """What a row is in percent of: the full run's value, else the estimate; 0 where neither is known."""
    known = one.full if math.isfinite(one.full) else one.value
    return known if math.isfinite(known) and math.isfinite(one.value) else 0.0


def offsets(one: Estimated) -> tuple[float, float, float]:
    """Estimate, low and high end as percent off the base."""
    of = base(one)
    value, low, high = (100 * (end / of - 1) for end in (one.value, one.low, one.high))
    return value, low, high
