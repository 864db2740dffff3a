"""Similarity: the matrix of distances between intervals (discovering-and-exploiting-phases, figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.plots import style
from phasemark.views import bins, distances
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELLS = 500


def draw(analysis: Analysis) -> Figure:
    """Dark is alike, 0 to 2; the phases' colours run along the top and left edges."""
    from matplotlib.colors import ListedColormap

    bounds = bins.cut(analysis.profile.interval_table.first_of_thread(), CELLS)
    far = distances.manhattan(analysis.profile.vectors, bounds)
    phase = bins.majority(bounds, analysis.phases.labels, analysis.signatures.weights)
    figure = style.figure(4.6, 4.2)
    figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.02, wspace=0, hspace=0)
    grid = figure.add_gridspec(
        2, 3, width_ratios=(0.03, 1, 0.035), height_ratios=(0.03, 1), hspace=0, wspace=0
    )
    axes = figure.add_subplot(grid[1, 1])
    shown = axes.imshow(
        far, cmap="gray", vmin=0, vmax=2, interpolation="nearest", aspect="auto",
        extent=(0, len(analysis.phases), len(analysis.phases), 0), clip_on=False,
    )  # fmt: skip
    shades: dict[str, Any] = {
        "cmap": ListedColormap(colours(analysis.phases.k)),
        "vmin": -0.5,
        "vmax": analysis.phases.k - 0.5,
    }
    for cell, image in ((grid[0, 1], phase[None, :]), (grid[1, 0], phase[:, None])):
        edge = figure.add_subplot(cell)
        edge.imshow(image, aspect="auto", interpolation="nearest", clip_on=False, **shades)
        edge.set_axis_off()
    axes.yaxis.set_visible(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("interval")
    bar = figure.colorbar(shown, cax=figure.add_subplot(grid[1, 2]), ticks=np.arange(0, 2.1, 0.5))
    bar.set_label("Manhattan distance")
    bar.outline.set_visible(False)
    return figure
