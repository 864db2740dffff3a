"""Trajectory: the run as a line through three dimensions (variable-length-intervals, figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import counted
from phasemark.model import Intervals
from phasemark.plots import style
from phasemark.views import fixed, path
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.threads import threads

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d import Axes3D


def draw(analysis: Analysis) -> Figure:
    """Each interval a dot in its phase's colour, successive ones of a thread joined; rings are the points.

    Where the run has been cut anew, its intervals of fixed length stand on the left, along the same axes:
    what goes round in rings there should lie in clusters here.
    """
    labels, intervals = analysis.phases.labels, analysis.profile.interval_table
    if analysis.fixed is None:
        trajectory = path.trajectory(analysis.signatures)
        figure = style.figure(4.6, 4.4)
        axes = figure.add_subplot(projection="3d")
        _path(axes, trajectory, intervals, _shades(analysis, labels))
        _points(axes, trajectory.points[_rows_of_points(analysis)])
        axes.set_title(_kept(trajectory), size=8)
        return figure
    before, now = fixed.paths(analysis.fixed, analysis.profile, analysis.signatures.recipe)
    figure = style.figure(8.0, 3.9)
    left, right = (figure.add_subplot(1, 2, at, projection="3d") for at in (1, 2))
    table = analysis.fixed.profile.interval_table
    _path(left, before, table, _shades(analysis, fixed.labels(table, intervals, labels)))
    _path(right, now, intervals, _shades(analysis, labels))
    _points(right, now.points[_rows_of_points(analysis)])
    for axes, name, n in ((left, "fixed", len(table)), (right, "variable", len(intervals))):
        axes.set_title(f"{counted(n, 'interval')} of {name} length", size=8)
        for which in "xyz":
            low, high = _limits(which, left, right)
            getattr(axes, f"set_{which}lim")(low, high)
    figure.suptitle(_kept(now), size=8)
    return figure


def _limits(which: str, *panels: Axes3D) -> tuple[float, float]:
    """Of an axis that panels share."""
    ends = [getattr(axes, f"get_{which}lim")() for axes in panels]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _kept(trajectory: path.Path3) -> str:
    return f"distance between projected vectors; {trajectory.kept:.1%} of the variance"


def _shades(analysis: Analysis, labels: NDArray[np.int32]) -> NDArray[np.str_]:
    return np.array(colours(analysis.phases.k))[labels]


def _path(axes: Axes3D, trajectory: path.Path3, intervals: Intervals, shade: NDArray[np.str_]) -> None:
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    points, joined = trajectory.points, ~intervals.first_of_thread()[1:]
    segments = np.stack([points[:-1], points[1:]], axis=1)[joined]
    strength = min(0.6, max(0.08, 300 / max(1, len(points))))
    if len(segments):  # a thread of a single interval has none, and matplotlib cannot draw none
        axes.add_collection3d(Line3DCollection(segments, colors=shade[1:][joined], lw=0.6, alpha=strength))
    axes.scatter(*points.T, c=shade, s=5, linewidths=0, depthshade=False)
    for axis, number in ((axes.xaxis, 1), (axes.yaxis, 2), (axes.zaxis, 3)):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_tick_params(labelsize=7, pad=0)
        axis.pane.set_facecolor("white")
        axis.set_label_text(f"principal axis {number}", size=8)
    axes.set_box_aspect(None, zoom=0.84)  # the third axis's name stands outside the box


def _points(axes: Axes3D, points: NDArray[np.float64]) -> None:
    """Rings around the simulation points."""
    axes.scatter(*points.T, s=28, facecolors="none", edgecolors=style.INK, linewidths=0.9, depthshade=False)


def _rows_of_points(analysis: Analysis) -> NDArray[np.int64]:
    """The intervals that are simulation points."""
    points, rows = analysis.points, np.zeros(0, np.int64)
    for thread in threads(analysis.profile):
        own = points.interval[thread.points(points)] + thread.rows.start
        rows = np.append(rows, own[own < thread.rows.stop])
    return rows
