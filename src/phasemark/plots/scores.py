"""Scores: how the number of phases was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.scores import threshold

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """The BIC against k with the threshold, and the squared error.

    Raises:
        DataError: no k was scored.
    """
    if not analysis.phases.scores:
        raise DataError("the phases have no scores", hint="run `phasemark phases` again without a given k")
    figure = style.figure(7.0, 2.5)
    left, right = figure.subplots(1, 2)
    _curve(left, analysis.phases.scores, analysis.phases.k, "BIC")
    _curve(right, analysis.phases.inertia, analysis.phases.k, "squared error")
    if (found := threshold(analysis)) is not None:
        left.axhline(found[1], color="#c34e8d", ls=(0, (4, 3)), lw=1, label=f"threshold {found[0]:g}")
        left.legend(loc="lower right")
    return figure


def _curve(axes: Axes, values: dict[int, float], chosen: int, label: str) -> None:
    ks = sorted(values)
    axes.plot(ks, [values[k] for k in ks], "o-", ms=3.5, color=style.ACCENT, mfc="white", zorder=3)
    if chosen in values:
        axes.plot([chosen], [values[chosen]], "o", ms=7, color=style.ACCENT, zorder=4)
        axes.annotate(
            f"k = {chosen}", (chosen, values[chosen]), (0, 8), textcoords="offset points", ha="center"
        )
    axes.grid(axis="y")
    axes.xaxis.set_major_locator(style.whole_numbers())
    axes.set_xlabel("k, phases")
    axes.set_ylabel(label)
