"""Machine: the states of a mixture or a hidden Markov model ("Probabilistic generative models", figure 1)."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from phasemark.errors import DataError, counted
from phasemark.plots import style
from phasemark.views import machine_layout, machine_words
from phasemark.views import names as named
from phasemark.views.analysis import Analysis
from phasemark.views.machine import Arrow, Machine, State
from phasemark.views.machine import machine as machine_of
from phasemark.views.palette import colours, ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon

#: Units of the picture an inch; characters of a line of the paragraph, and the height of one.
_UNITS, _LETTERS, _LINE = 105.0, 144, 15.0
#: From where on an arrow's share of departures goes without saying.
_ALWAYS = 0.95
#: Before the circle that an arrow leads to.
_GAP = 3.0


def draw(analysis: Analysis) -> Figure:
    """A circle a state, as large as its share of the run; arrows show what follows; words below say it again.

    Raises:
        DataError: the run's phases have no states.
    """
    shown = machine_of(named.named(analysis))
    if shown is None:
        raise DataError("the phases have no states", hint="run `phasemark phases DIR --model hmm` first")
    said = textwrap.wrap(machine_words.reading(shown), _LETTERS)
    height = shown.height + _LINE * (len(said) + 1)
    figure = style.figure(shown.width / _UNITS, height / _UNITS)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, shown.width)
    axes.set_ylim(height, 0)
    _arrows(axes, shown)
    _states(axes, shown)
    for line, text in enumerate(said):
        axes.text(12, shown.height + _LINE * (line + 0.5), text, color=style.INK, va="center")
    return figure


def _arrows(axes: Axes, shown: Machine) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    for arrow in shown.drawn(shown.strong):
        source, target = shown.spots[arrow.source], shown.spots[arrow.target]
        width = 0.5 + 1.5 * arrow.share
        gap = _GAP + 4 + (4 if arrow.target in shown.starts else 0)  # a ring is around the first
        x0, y0, x1, y1 = machine_layout.ends(source, target, arrow.x, arrow.y, gap)
        curve = Path([(x0, y0), (arrow.x, arrow.y), (x1, y1)], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
        colour = colours(len(shown.states))[arrow.source]
        axes.add_patch(PathPatch(curve, fc="none", ec=colour, lw=width, alpha=0.35 + 0.6 * arrow.share))
        axes.add_patch(_head(arrow, x1, y1, colour))
        if arrow.share < _ALWAYS and not shown.many:
            box = {"boxstyle": "square,pad=0.08", "fc": "white", "ec": "none"}
            axes.text(
                *arrow.at, f"{arrow.share:.0%}", size=7, color=style.SOFT, ha="center", va="center", bbox=box
            )


def _head(arrow: Arrow, x: float, y: float, colour: str) -> Polygon:
    from matplotlib.patches import Polygon

    turn = math.atan2(y - arrow.y, x - arrow.x)
    long, wide = 6.5, 2.6 + 1.2 * arrow.share
    tip = x + 4 * math.cos(turn), y + 4 * math.sin(turn)
    back = tip[0] - long * math.cos(turn), tip[1] - long * math.sin(turn)
    side = -wide * math.sin(turn), wide * math.cos(turn)
    corners = [tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
    return Polygon(corners, closed=True, fc=colour, ec="none", alpha=0.5 + 0.5 * arrow.share)


def _states(axes: Axes, shown: Machine) -> None:
    from matplotlib.patches import Circle

    for state, colour in zip(shown.states, colours(len(shown.states)), strict=True):
        spot, label = shown.spots[state.number], shown.labels[state.number]
        side = -1 if label.left else 1
        edge = spot.x + side * (spot.radius + 2), label.x - side * 5
        axes.plot(edge, (spot.y, label.y), color="#dfdfda", lw=0.6, zorder=0.5)
        axes.add_patch(Circle((spot.x, spot.y), spot.radius, fc=colour, ec="white", lw=0.8, zorder=3))
        if state.number in shown.starts:
            axes.add_patch(
                Circle((spot.x, spot.y), spot.radius + 3, fc="none", ec=style.INK, lw=0.9, zorder=3)
            )
        if spot.radius >= 8:
            axes.text(
                spot.x, spot.y, str(state.number), color=ink_on(colour), weight="bold", ha="center",
                va="center_baseline", zorder=4, size=8 if spot.radius >= 12 else 7,
            )  # fmt: skip
        _label(axes, shown, state)


def _label(axes: Axes, shown: Machine, state: State) -> None:
    label = shown.labels[state.number]
    begin: dict[str, Any] = {"ha": "right" if label.left else "left", "va": "center"}
    if shown.many:
        axes.text(label.x, label.y, f"{state.number}  {state.label}", size=6.5, **begin)
        return
    lines = [line for line in (_lasting(state, state.number in shown.starts), _apart(state)) if line]
    top = label.y - 6.5 * len(lines)
    axes.text(label.x, top, f"{state.label}  {state.hot:.0%}", weight="bold", size=7, **begin)
    for row, text in enumerate(lines, start=1):
        axes.text(label.x, top + 13 * row, text, size=6.2, color=style.SOFT, **begin)


def _lasting(state: State, starts: bool) -> str:
    """`46% of the run, lasts 2 intervals`."""
    share = machine_words.percent(state.share)
    said = f"begins here; {share}" if starts else f"{share} of the run"
    if state.intervals is None or state.instructions is None:
        return said
    if math.isinf(state.intervals):
        return f"{said}, to the end"
    return f"{said}, lasts {counted(max(1, round(state.intervals)), 'interval')}"


def _apart(state: State) -> str:
    if state.apart is None:
        return ""
    return f"more {state.apart.said} {state.apart.here:.0%}, elsewhere {state.apart.elsewhere:.0%}"
