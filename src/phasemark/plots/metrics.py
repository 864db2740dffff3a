"""Metrics: time-varying graphs under the phase strip ("Discovering and exploiting phases", figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.quality.measured import foremost, measured, names
from phasemark.views.analysis import Analysis
from phasemark.views.graphs import Graph, graph
from phasemark.views.palette import colours
from phasemark.views.strip import Strip, strip
from phasemark.views.threads import longest, threads

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis, metrics: Sequence[str] = ()) -> Figure:
    """The strip of the longest thread, and a panel a metric; diamonds are the simulation points.

    Args:
        analysis: of a run.
        metrics: to draw, in this order; none: those that the report shows first.

    Raises:
        DataError: the intervals were not measured, or not for one of these metrics.
    """
    if analysis.metrics is None:
        raise DataError(
            "there are no metrics of the intervals",
            hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
        )
    intervals = analysis.profile.interval_table
    every_name = names(analysis.metrics)
    chosen = list(metrics) or [name for name in every_name if name in foremost(every_name)]
    measures = [measured(analysis.metrics, intervals, name) for name in chosen]
    every = threads(analysis.profile)
    thread = longest(every)
    figure = style.figure(7.0, 0.9 + 0.75 * len(measures))
    heights = [0.35, *[1.0] * len(measures)]
    panels = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
    phase_strip(panels[0], strip(analysis, thread))
    for axes, metric in zip(panels[1:], measures, strict=True):
        panel(axes, metric.title, graph(analysis, thread, metric))
    panels[-1].set_xlim(0, thread.instructions)
    panels[-1].xaxis.set_major_formatter(style.count)
    panels[-1].set_xlabel(f"instructions of {thread.label}" if len(every) > 1 else "instructions")
    return figure


def phase_strip(axes: Axes, shown: Strip) -> None:
    """A band with the phases of a thread."""
    for lane, colour in zip(shown.lanes, colours(len(shown.lanes)), strict=True):
        axes.broken_barh(lane, (0, 1), color=colour, lw=0)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.set_ylabel("phase", rotation=0, ha="right", va="center")


def panel(axes: Axes, title: str, shown: Graph) -> None:
    """A metric over the instructions of a thread."""
    axes.plot(shown.x, shown.y, color=style.ACCENT, lw=0.8)
    style.diamonds(axes, shown.middles, shown.marks, 3.5)
    axes.set_ylim(0, shown.high * 1.08 or 1)
    axes.grid(axis="y")
    axes.set_title(title, loc="left", fontweight="normal", fontsize=8, pad=4)
    axes.yaxis.set_major_formatter("{x:g}")
