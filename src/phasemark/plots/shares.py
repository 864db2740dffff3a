"""Shares: how much of the run each phase is, and how many intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """A bar a phase: its share of the instructions."""
    k, shares = analysis.phases.k, analysis.shares
    sizes = np.bincount(analysis.phases.labels, minlength=k)
    figure = style.figure(5.0, 0.6 + 0.22 * k)
    axes = figure.subplots()
    axes.barh(np.arange(k), 100 * shares, color=colours(k), height=0.78)
    for phase in range(k):
        text = f"{shares[phase]:.1%}, {sizes[phase]:,} interval{'' if sizes[phase] == 1 else 's'}"
        axes.annotate(
            text, (100 * shares[phase], phase), (4, 0), textcoords="offset points", va="center", size=7
        )
    axes.set_xlim(0, 100 * shares.max(initial=0.01) * 1.35)
    axes.set_ylim(k - 0.4, -0.6)
    axes.set_yticks(np.arange(k), analysis.phases.names)
    axes.set_xlabel("share of the instructions, %")
    axes.set_ylabel("phase")
    return figure
