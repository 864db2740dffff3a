"""Accumulated: the code executed so far as a line in a plane ("Variable length intervals", figure 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.plots import style
from phasemark.views.accumulated import accumulated
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.threads import longest, threads

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """Left, all intervals up to each, added up: straight where the code stays the same; right, over a window.

    Of several threads the longest.
    """
    every = threads(analysis.profile)
    thread = longest(every)
    shown = accumulated(analysis, thread)
    shade = np.array(colours(analysis.phases.k))[analysis.phases.labels[thread.rows]]
    figure = style.figure(7.0, 3.3)
    left, right = figure.subplots(1, 2)
    of = f" of {thread.label}" if len(every) > 1 else ""
    _line(left, shown.from_start, shade, f"from the start{of}")
    _line(right, shown.window, shade[1:], f"{style.count(shown.reach)} instructions before and after{of}")
    left.xaxis.set_major_formatter(style.count)
    left.yaxis.set_major_formatter(style.count)
    return figure


def _line(axes: Axes, points: NDArray[np.float64], shade: NDArray[np.str_], title: str) -> None:
    """Successive points joined, each stretch in the colour of the phase that it leads through."""
    from matplotlib.collections import LineCollection

    if len(points) > 1:
        segments = np.stack([points[:-1], points[1:]], axis=1)
        axes.add_collection(LineCollection(list(segments), colors=list(shade), lw=1.1, capstyle="round"))
    axes.plot(*points[:1].T, "o", ms=4, mfc="white", mec=style.INK, mew=0.85, zorder=4)
    axes.autoscale_view()
    axes.margins(0.05)
    axes.set_title(title, fontweight="normal", fontsize=8)
    axes.set_xlabel("principal axis 1")
    axes.set_ylabel("principal axis 2")
