"""Similarity: the matrix of distances between intervals (discovering-and-exploiting-phases, figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.plots import style
from phasemark.views import distances
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.rows import Rows, rows
from phasemark.views.threads import Thread, threads

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

#: Threads, about, that an axis has room to name.
NAMED = 20
#: Rows and columns, about, at most.
CELLS = 500
#: Parts of the instructions that cells of unlike length are drawn in.
FINE = 1000


def draw(analysis: Analysis) -> Figure:
    """Dark is alike, 0 to 2; the phases' colours run along the top and left edges."""
    from matplotlib.colors import ListedColormap

    cells = rows(analysis, CELLS)
    far = distances.manhattan(analysis.profile.vectors, cells.bounds)
    n, stripe = len(analysis.phases), cells.phase
    if not cells.even:  # as long as they are, each in as many of equal parts of the run
        at = _by_length(cells)
        far, stripe, n = far[np.ix_(at, at)], stripe[at], int(cells.length.sum())
    figure = style.figure(4.6, 4.2)
    figure.set_layout_engine("constrained", w_pad=0.02, h_pad=0.02, wspace=0, hspace=0)
    grid = figure.add_gridspec(
        2, 3, width_ratios=(0.03, 1, 0.035), height_ratios=(0.03, 1), hspace=0, wspace=0
    )
    axes = figure.add_subplot(grid[1, 1])
    image = axes.imshow(
        far, cmap="gray", vmin=0, vmax=2, interpolation="nearest", aspect="auto",
        extent=(0, n, n, 0), clip_on=False,
    )  # fmt: skip
    shades: dict[str, Any] = {
        "cmap": ListedColormap(colours(analysis.phases.k)),
        "vmin": -0.5,
        "vmax": analysis.phases.k - 0.5,
    }
    top, left = figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, 0])
    for edge, band, extent in (
        (top, stripe[None, :], (0, n, 1, 0)),
        (left, stripe[:, None], (0, 1, n, 0)),
    ):
        edge.imshow(band, aspect="auto", interpolation="nearest", clip_on=False, extent=extent, **shades)
        edge.spines[:].set_visible(False)
    top.set_axis_off()
    left.xaxis.set_visible(False)
    axes.yaxis.set_visible(False)
    axes.spines[:].set_visible(False)
    _scale(axes.xaxis, left.yaxis, threads(analysis.profile), cells.even)
    bar = figure.colorbar(image, cax=figure.add_subplot(grid[1, 2]), ticks=np.arange(0, 2.1, 0.5))
    bar.set_label("Manhattan distance of code")
    bar.outline.set_visible(False)
    return figure


def _by_length(cells: Rows) -> NDArray[np.int64]:
    """The cell in the middle of each of FINE equal parts of the instructions."""
    ends = np.cumsum(cells.length)
    middles = (np.arange(FINE) + 0.5) / FINE * int(ends[-1])
    return np.searchsorted(ends, middles, side="right").clip(0, len(cells) - 1)


def _scale(across: Axis, down: Axis, every: Sequence[Thread], even: bool) -> None:
    """Intervals along both axes, or instructions where those are of unlike lengths; of several threads, one
    after the other, where each of them lies."""
    for axis in (across, down):
        if len(every) == 1 and not even:
            axis.set_major_formatter(style.count)
            axis.set_label_text("instructions")
        elif len(every) == 1:
            axis.set_major_locator(style.whole_numbers())
            axis.set_label_text("interval")
        else:
            middles, names = _named(every, even)
            axis.set_ticks(middles, names)
            axis.set_label_text("run.thread" if len({thread.run for thread in every}) > 1 else "thread")


def _named(every: Sequence[Thread], even: bool) -> tuple[list[float], list[str]]:
    """The middles and names of the threads that have room for a name."""
    ends = np.cumsum(
        [thread.rows.stop - thread.rows.start if even else thread.instructions for thread in every]
    )
    runs, room = len({thread.run for thread in every}) > 1, ends[-1] / NAMED
    middles: list[float] = []
    names: list[str] = []
    for thread, begin, end in zip(every, [0, *ends[:-1]], ends, strict=True):
        middle = float(begin + end) / 2
        if not middles or middle - middles[-1] >= room:
            middles.append(middle)
            names.append(f"{thread.run}.{thread.thread}" if runs else str(thread.thread))
    return middles, names
