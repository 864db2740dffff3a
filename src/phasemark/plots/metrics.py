"""Metrics: time-varying graphs under the phase strip ("Discovering and exploiting phases", figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.plots.strip import runs
from phasemark.quality.measured import Measured
from phasemark.views.palette import colours
from phasemark.views.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(run: Run) -> Figure:
    """The strip of the longest thread, and a panel a metric; diamonds are the simulation points.

    Raises:
        DataError: the intervals were not measured.
    """
    every = run.measured()
    if not every:
        raise DataError(
            "there are no metrics of the intervals",
            hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
        )
    intervals = run.profile.interval_table
    rows = longest(run)
    figure = style.figure(7.0, 0.9 + 0.75 * len(every))
    heights = [0.35, *[1.0] * len(every)]
    panels = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
    _strip(panels[0], run, rows)
    for axes, one in zip(panels[1:], every, strict=True):
        _panel(axes, run, rows, one)
    panels[-1].set_xlim(int(intervals.start[rows.start]), _end(run, rows))
    panels[-1].xaxis.set_major_formatter(style.count)
    several = intervals.first_of_thread().sum() > 1
    panels[-1].set_xlabel(
        f"instructions of thread {intervals.thread[rows.start]}" if several else "instructions"
    )
    return figure


def longest(run: Run) -> slice:
    """The rows of the thread with most instructions."""
    intervals = run.profile.interval_table
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


def _strip(axes: Axes, run: Run, rows: slice) -> None:
    intervals, labels = run.profile.interval_table, run.phases.labels[rows]
    for phase, colour in enumerate(colours(run.phases.k)):
        spans = runs(intervals.start[rows], intervals.length[rows], labels == phase)
        axes.broken_barh(spans, (0, 1), color=colour, lw=0)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.set_ylabel("phase", rotation=0, ha="right", va="center")


def _panel(axes: Axes, run: Run, rows: slice, one: Measured) -> None:
    intervals, values = run.profile.interval_table, one.values[rows]
    axes.plot(*steps(intervals.start[rows], intervals.length[rows], values), color=style.ACCENT, lw=0.8)
    own = points_of(run, rows)
    at = run.points.interval[own]
    middles = (run.points.start[own] + run.points.end[own]) / 2
    axes.plot(middles, values[at], "D", ms=3.5, mfc="white", mec=style.INK, mew=0.8, clip_on=False, zorder=4)
    high = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    axes.set_ylim(0, high * 1.08 or 1)
    axes.grid(axis="y")
    axes.set_title(one.title, loc="left", fontweight="normal", fontsize=8, pad=2)


def points_of(run: Run, rows: slice) -> NDArray[np.bool_]:
    """The simulation points of a thread."""
    intervals, points = run.profile.interval_table, run.points
    first = rows.start
    return np.asarray(
        (points.run == intervals.run[first])
        & (points.thread == intervals.thread[first])
        & (points.interval < rows.stop - rows.start)
    )


def _end(run: Run, rows: slice) -> int:
    last = rows.stop - 1
    intervals = run.profile.interval_table
    return int(intervals.start[last] + intervals.length[last])
