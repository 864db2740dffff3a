"""Metrics: time-varying graphs under the phase strip ("Discovering and exploiting phases", figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.plots.strip import runs
from phasemark.quality.measured import Measured
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """The strip of the longest thread, and a panel a metric; diamonds are the simulation points.

    Raises:
        DataError: the intervals were not measured.
    """
    every = analysis.measured()
    if not every:
        raise DataError(
            "there are no metrics of the intervals",
            hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
        )
    intervals = analysis.profile.interval_table
    rows = longest(analysis)
    figure = style.figure(7.0, 0.9 + 0.75 * len(every))
    heights = [0.35, *[1.0] * len(every)]
    panels = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
    _strip(panels[0], analysis, rows)
    for axes, one in zip(panels[1:], every, strict=True):
        _panel(axes, analysis, rows, one)
    panels[-1].set_xlim(int(intervals.start[rows.start]), _end(analysis, rows))
    panels[-1].xaxis.set_major_formatter(style.count)
    several = intervals.first_of_thread().sum() > 1
    panels[-1].set_xlabel(
        f"instructions of thread {intervals.thread[rows.start]}" if several else "instructions"
    )
    return figure


def longest(analysis: Analysis) -> slice:
    """The rows of the thread with most instructions."""
    intervals = analysis.profile.interval_table
    firsts = np.flatnonzero(intervals.first_of_thread())
    ends = np.append(firsts, len(intervals))[1:]
    instructions = [int(intervals.length[a:b].sum()) for a, b in zip(firsts, ends, strict=True)]
    most = int(np.argmax(instructions))
    return slice(int(firsts[most]), int(ends[most]))


def steps(
    start: NDArray[np.int64], length: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A line that is level over each interval, with gaps where nothing was measured."""
    edges = np.stack([start, start + length], axis=1).astype(np.float64)
    return edges.ravel(), np.repeat(values, 2)


def _strip(axes: Axes, analysis: Analysis, rows: slice) -> None:
    intervals, labels = analysis.profile.interval_table, analysis.phases.labels[rows]
    for phase, colour in enumerate(colours(analysis.phases.k)):
        spans = runs(intervals.start[rows], intervals.length[rows], labels == phase)
        axes.broken_barh(spans, (0, 1), color=colour, lw=0)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.set_ylabel("phase", rotation=0, ha="right", va="center")


def _panel(axes: Axes, analysis: Analysis, rows: slice, one: Measured) -> None:
    intervals, values = analysis.profile.interval_table, one.values[rows]
    axes.plot(*steps(intervals.start[rows], intervals.length[rows], values), color=style.ACCENT, lw=0.8)
    own = points_of(analysis, rows)
    at = analysis.points.interval[own]
    middles = (analysis.points.start[own] + analysis.points.end[own]) / 2
    axes.plot(middles, values[at], "D", ms=3.5, mfc="white", mec=style.INK, mew=0.8, clip_on=False, zorder=4)
    high = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    axes.set_ylim(0, high * 1.08 or 1)
    axes.grid(axis="y")
    axes.set_title(one.title, loc="left", fontweight="normal", fontsize=8, pad=2)


def points_of(analysis: Analysis, rows: slice) -> NDArray[np.bool_]:
    """The simulation points of a thread."""
    intervals, points = analysis.profile.interval_table, analysis.points
    first = rows.start
    return np.asarray(
        (points.run == intervals.run[first])
        & (points.thread == intervals.thread[first])
        & (points.interval < rows.stop - rows.start)
    )


def _end(analysis: Analysis, rows: slice) -> int:
    last = rows.stop - 1
    intervals = analysis.profile.interval_table
    return int(intervals.start[last] + intervals.length[last])
