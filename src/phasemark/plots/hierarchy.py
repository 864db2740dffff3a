"""Hierarchy: a metric on the levels of the hierarchy ("Variable length intervals", figure 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import UsageError
from phasemark.plots import style
from phasemark.quality.measured import measured, names
from phasemark.views.analysis import Analysis
from phasemark.views.graphs import height
from phasemark.views.graphs import levels as stairs
from phasemark.views.levels import levels
from phasemark.views.threads import longest, threads

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis, metrics: Sequence[str] = ()) -> Figure:
    """A panel a level, the coarsest on top; at the bottom the intervals that were measured.

    Args:
        analysis: of a run.
        metrics: one to draw; none: CPI, or the first that was measured.

    Raises:
        UsageError: several metrics.
        DataError: there is no hierarchy, or no such metric was measured.
    """
    if len(metrics) > 1:
        raise UsageError("the figure hierarchy shows one metric", hint="name one with --metric")
    every = threads(analysis.profile)
    thread = longest(every)
    known = analysis.metrics or (analysis.fixed and analysis.fixed.metrics)
    name = metrics[0] if metrics else names(known)[0] if known else "cpi"
    shown = levels(analysis, thread, name)
    figure = style.figure(7.0, 0.7 + 0.62 * len(shown))
    panels = figure.subplots(len(shown), 1, sharex=True, sharey=True)
    top = height(shown[-1].values, shown[-1].length) * 1.08 or 1.0
    for axes, level in zip(panels, shown, strict=True):
        colour = style.ACCENT if level.name.startswith("level") else style.SOFT
        axes.plot(*stairs(level.start, level.length, level.values), color=colour, lw=0.8)
        axes.set_ylim(0, top)
        axes.grid(axis="y")
        axes.yaxis.set_major_formatter("{x:g}")
        count = f"{len(level.start):,} interval{'' if len(level.start) == 1 else 's'}"
        highest = np.nanmax(level.values, initial=0.0)
        beyond = f"; cut off, up to {highest:.3g}" if highest > top else ""
        axes.set_title(f"{level.name}, {count}{beyond}", loc="left", fontweight="normal", fontsize=8, pad=3)
    panels[-1].set_xlim(0, thread.instructions)
    panels[-1].xaxis.set_major_formatter(style.count)
    panels[-1].set_xlabel(f"instructions of {thread.label}" if len(every) > 1 else "instructions")
    figure.supylabel(_title(analysis, name), fontsize=8, color=style.INK)
    return figure


def _title(analysis: Analysis, name: str) -> str:
    """What the metric is called on an axis."""
    if analysis.metrics is not None:
        return measured(analysis.metrics, analysis.profile.interval_table, name).title
    return name
