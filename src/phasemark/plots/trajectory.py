"""Trajectory: the run as a line through three dimensions (variable-length-intervals, figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.plots import style
from phasemark.views import path
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.threads import threads

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """Each interval a dot in its phase's colour, successive ones of a thread joined; rings are the points."""
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    trajectory = path.trajectory(analysis.signatures)
    points, shade = trajectory.points, np.array(colours(analysis.phases.k))[analysis.phases.labels]
    joined = ~analysis.profile.interval_table.first_of_thread()[1:]
    figure = style.figure(4.6, 4.4)
    axes = figure.add_subplot(projection="3d")
    segments = np.stack([points[:-1], points[1:]], axis=1)[joined]
    strength = min(0.6, max(0.08, 300 / max(1, len(points))))
    if len(segments):  # a thread of a single interval has none, and matplotlib cannot draw none
        axes.add_collection3d(Line3DCollection(segments, colors=shade[1:][joined], lw=0.6, alpha=strength))
    axes.scatter(*points.T, c=shade, s=5, linewidths=0, depthshade=False)
    axes.scatter(
        *points[_rows_of_points(analysis)].T, s=28, facecolors="none", edgecolors=style.INK, linewidths=0.9,
        depthshade=False,
    )  # fmt: skip
    for axis, number in ((axes.xaxis, 1), (axes.yaxis, 2), (axes.zaxis, 3)):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_tick_params(labelsize=7, pad=0)
        axis.pane.set_facecolor("white")
        axis.set_label_text(f"principal axis {number}", size=8)
    axes.set_box_aspect(None, zoom=0.84)  # the third axis's name stands outside the box
    axes.set_title(f"distance between projected vectors; {trajectory.kept:.1%} of the variance", size=8)
    return figure


def _rows_of_points(analysis: Analysis) -> NDArray[np.int64]:
    """The intervals that are simulation points."""
    points, rows = analysis.points, np.zeros(0, np.int64)
    for thread in threads(analysis.profile.interval_table):
        own = points.interval[thread.points(points)] + thread.rows.start
        rows = np.append(rows, own[own < thread.rows.stop])
    return rows
