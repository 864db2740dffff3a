"""Strip: the phase of each interval, over instructions (discovering-and-exploiting-phases, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours
from phasemark.views.strip import Strip, strip
from phasemark.views.threads import threads

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """One panel a thread, a lane a phase; diamonds are the simulation points."""
    every = threads(analysis.profile)
    lanes = max(0.5, 0.16 * analysis.phases.k)
    figure = style.figure(7.0, 0.7 + len(every) * (lanes + 0.25))
    panels = figure.subplots(len(every), 1, sharex=True, squeeze=False)[:, 0]
    for axes, thread in zip(panels, every, strict=True):
        _panel(axes, strip(analysis, thread), analysis.phases.names)
        if len(every) > 1:
            axes.set_title(thread.label)
    panels[-1].set_xlim(0, max(thread.instructions for thread in every))
    panels[-1].xaxis.set_major_formatter(style.count)
    panels[-1].set_xlabel("instructions of the thread" if len(every) > 1 else "instructions")
    return figure


def _panel(axes: Axes, shown: Strip, names: Sequence[str]) -> None:
    k = len(shown.lanes)
    for phase, (lane, colour) in enumerate(zip(shown.lanes, colours(k), strict=True)):
        axes.broken_barh(lane, (phase - 0.42, 0.84), color=colour, lw=0)
    style.diamonds(axes, shown.middles, shown.phases, 4)
    axes.set_ylim(k - 0.5, -0.5)
    style.lanes(axes, names)
    axes.set_ylabel("phase")
