"""Track: online phases over the run's own, and how often predictors were right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.tracked import Tracked, tracked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Of intervals in transition.
_GREY = "#b9bec6"


def draw(analysis: Analysis) -> Figure:
    """A lane an online phase, in the colour of the own phase that it mostly is; those beneath; predictors.

    Of several threads the longest.

    Raises:
        DataError: the run was not tracked.
    """
    shown = tracked(analysis)
    heights = [max(0.5, 0.15 * len(lanes)) for lanes in (shown.lanes, shown.own_lanes) if lanes]
    bars = 0.35 + 0.22 * len(shown.accuracy)
    figure = style.figure(7.0, sum(heights) + bars + 0.45 * (len(heights) + 1))
    panels = figure.subplots(len(heights) + 1, 1, height_ratios=[*heights, bars])
    known = colours(analysis.phases.k)
    online = [_GREY if partner is None else known[partner] for partner in shown.partners]
    _panel(panels[0], shown.lanes, online, shown.phases.names)
    panels[0].set_title(_title(shown))
    if shown.own_lanes:
        _panel(panels[1], shown.own_lanes, known, analysis.phases.names)
        panels[1].set_title(f"phases of {shown.own}")
    for axes in panels[:-1]:
        axes.set_xlim(0, shown.thread.instructions)
        axes.xaxis.set_major_formatter(style.count)
    panels[-2].set_xlabel("instructions")
    _predictors(panels[-1], shown)
    return figure


def _title(shown: Tracked) -> str:
    grey = "" if shown.transition is None else ", grey in transition"
    agrees = "" if shown.agreement is None else f"; adjusted Rand index {shown.agreement:.2f}"
    return f"online phases{grey}{agrees}"


def _panel(axes: Axes, lanes: list[list[tuple[float, float]]], of: list[str], names: Sequence[str]) -> None:
    for phase, (lane, colour) in enumerate(zip(lanes, of, strict=True)):
        axes.broken_barh(lane, (phase - 0.42, 0.84), color=colour, lw=0)
    axes.set_ylim(len(lanes) - 0.5, -0.5)
    style.lanes(axes, names)
    axes.set_ylabel("phase")


def _predictors(axes: Axes, shown: Tracked) -> None:
    """How often each was right: of all intervals, and of those in which the phase changes."""
    names = [one.predictor for one in shown.accuracy]
    rows = np.arange(len(names))
    for offset, label, colour, values in (
        (-0.2, "of all intervals", style.ACCENT, [one.next_phase for one in shown.accuracy]),
        (0.2, "of changes of phase", "#de8d21", [one.at_changes for one in shown.accuracy]),
    ):
        shares = [0.0 if math.isnan(share) else 100 * share for share in values]
        axes.barh(rows + offset, shares, 0.36, color=colour, label=label)
    axes.set_yticks(rows, names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("foretold, %")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.legend(loc="lower right", ncols=2, fontsize=7, bbox_to_anchor=(1, 1), borderaxespad=0)
