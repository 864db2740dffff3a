"""Strip: the phase of each interval, over instructions (discovering-and-exploiting-phases, figure 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """One panel a thread, a lane a phase; diamonds are the simulation points."""
    intervals = analysis.profile.interval_table
    firsts = np.flatnonzero(intervals.first_of_thread())
    ends = np.append(firsts, len(intervals))[1:]
    lanes = max(0.5, 0.16 * analysis.phases.k)
    figure = style.figure(7.0, 0.7 + len(firsts) * (lanes + 0.25))
    panels = figure.subplots(len(firsts), 1, sharex=True, squeeze=False)[:, 0]
    for axes, first, end in zip(panels, firsts.tolist(), ends.tolist(), strict=True):
        _panel(axes, analysis, slice(first, end))
        if len(firsts) > 1:
            axes.set_title(f"thread {intervals.thread[first]}")
    panels[-1].set_xlim(0, int((intervals.start + intervals.length).max(initial=1)))
    panels[-1].xaxis.set_major_formatter(style.count)
    panels[-1].set_xlabel("instructions of the thread" if len(firsts) > 1 else "instructions")
    return figure


def _panel(axes: Axes, analysis: Analysis, rows: slice) -> None:
    intervals, labels = analysis.profile.interval_table, analysis.phases.labels[rows]
    begins, lengths = intervals.start[rows], intervals.length[rows]
    for phase, colour in enumerate(colours(analysis.phases.k)):
        axes.broken_barh(runs(begins, lengths, labels == phase), (phase - 0.42, 0.84), color=colour, lw=0)
    own = (analysis.points.run == intervals.run[rows.start]) & (
        analysis.points.thread == intervals.thread[rows.start]
    )
    middles = (analysis.points.start[own] + analysis.points.end[own]) / 2
    axes.plot(
        middles, analysis.points.phase[own], "D", ms=4, mfc="white", mec=style.INK, mew=0.9, clip_on=False
    )
    axes.set_ylim(analysis.phases.k - 0.5, -0.5)
    axes.yaxis.set_major_locator(style.whole_numbers())
    axes.set_ylabel("phase")


def runs(begins: np.ndarray, lengths: np.ndarray, member: np.ndarray) -> list[tuple[float, float]]:
    """(start, length) of every stretch of neighbouring intervals that are members."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], member, [False])).astype(np.int8)))
    stops = begins + lengths
    return [(float(begins[a]), float(stops[b - 1] - begins[a])) for a, b in edges.reshape(-1, 2).tolist()]
