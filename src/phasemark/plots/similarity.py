"""Similarity: the matrix of distances between intervals (discovering-and-exploiting-phases, figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.plots import style
from phasemark.views import distances
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.rows import rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Rows and columns, about, at most.
CELLS = 500


def draw(analysis: Analysis) -> Figure:
    """Dark is alike, 0 to 2; the phases' colours run along the top and left edges."""
    from matplotlib.colors import ListedColormap

    cells = rows(analysis, CELLS)
    far = distances.manhattan(analysis.profile.vectors, cells.bounds)
    figure = style.figure(4.6, 4.2)
    figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.02, wspace=0, hspace=0)
    grid = figure.add_gridspec(
        2, 3, width_ratios=(0.03, 1, 0.035), height_ratios=(0.03, 1), hspace=0, wspace=0
    )
    axes = figure.add_subplot(grid[1, 1])
    image = axes.imshow(
        far, cmap="gray", vmin=0, vmax=2, interpolation="nearest", aspect="auto",
        extent=(0, len(analysis.phases), len(analysis.phases), 0), clip_on=False,
    )  # fmt: skip
    shades: dict[str, Any] = {
        "cmap": ListedColormap(colours(analysis.phases.k)),
        "vmin": -0.5,
        "vmax": analysis.phases.k - 0.5,
    }
    for place, stripe in ((grid[0, 1], cells.phase[None, :]), (grid[1, 0], cells.phase[:, None])):
        edge = figure.add_subplot(place)
        edge.imshow(stripe, aspect="auto", interpolation="nearest", clip_on=False, **shades)
        edge.set_axis_off()
    axes.yaxis.set_visible(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("interval")
    bar = figure.colorbar(image, cax=figure.add_subplot(grid[1, 2]), ticks=np.arange(0, 2.1, 0.5))
    bar.set_label("Manhattan distance")
    bar.outline.set_visible(False)
    return figure
