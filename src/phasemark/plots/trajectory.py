"""Trajectory: the run as a line through three dimensions (variable-length-intervals, figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark.plots import style
from phasemark.views import path
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """Each interval a dot in its phase's colour, successive ones of a thread joined."""
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
    for axis, number in ((axes.xaxis, 1), (axes.yaxis, 2), (axes.zaxis, 3)):
        axis.set_ticklabels([])
        axis.pane.set_facecolor("white")
        axis.set_label_text(f"axis {number}", size=8)
    axes.set_title(f"{trajectory.kept:.1%} of the variance")
    return figure
