"""Figures of the docs that show no run: drawn from the idea itself.

Run `python -m tests.house.figures` to draw them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tests.house.repository import ROOT

from phasemark.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = ROOT / "docs"
#: Of the signal, and the length of intervals that is out of tune with it ("Variable length intervals").
PERIOD, OTHER = 25, 11


def means(length: int, until: int) -> NDArray[np.float64]:
    """The mean of sin(2 pi t / PERIOD) over each interval of so many steps, from 0: exact."""
    edges = np.arange(0, until + 1, length)
    turn = 2 * np.pi / PERIOD
    return np.asarray(-np.diff(np.cos(turn * edges)) / (turn * length))


def dissonance() -> Figure:
    """Figure 1: a sine, and what is left of it in intervals that are out of tune with it, or in tune."""
    until = PERIOD * OTHER
    figure = style.figure(7.0, 3.4)
    t = np.linspace(0, until, 1101)
    panels = figure.subplots(3, 1, sharex=True, sharey=True)
    titles = ("a signal that repeats every 25 steps", "in intervals of 11", "in intervals of 25")
    for axes, title, length in zip(panels, titles, (None, OTHER, PERIOD), strict=True):
        axes.plot(t, np.sin(2 * np.pi * t / PERIOD), color=style.ACCENT, lw=1.2, alpha=0.35 if length else 1)
        axes.set_title(title, fontweight="normal", fontsize=8, pad=3)
        axes.set_yticks([-1, 0, 1])
        axes.set_ylim(-1.15, 1.15)
        if length:
            edges = np.arange(0, until + 1, length)
            axes.vlines(edges, -1.15, 1.15, color="#dfdfda", lw=0.6, zorder=0)
            axes.plot(edges[1:], means(length, until), "o-", color="#c34e8d", lw=1.2, ms=3)
    panels[-1].set_xlim(0, until)
    panels[-1].set_xlabel("time; a dot is the mean of the interval that ends there")
    return figure


def write(folder: Path = FOLDER) -> None:
    """Draw every figure."""
    with style.styled():
        style.save(dissonance(), folder / "dissonance.svg")


if __name__ == "__main__":
    write()
