"""Scores: how the number of phases was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.scores import scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """The BIC, or what else k was chosen by, against k with the threshold, and the squared error.

    Raises:
        DataError: no k was scored.
    """
    shown = scores(analysis.phases)
    if not shown.k:
        raise DataError("the phases have no scores", hint="run `phasemark phases` again without a given k")
    figure = style.figure(7.0, 2.5)
    left, right = figure.subplots(1, 2)
    _curve(left, shown.k, shown.score, shown.chosen, shown.name)
    _curve(right, shown.k, shown.inertia, shown.chosen, "squared error")
    right.set_visible(any(value is not None for value in shown.inertia))
    if shown.threshold is not None:
        label = f"threshold {shown.threshold.share:g}"
        left.axhline(shown.threshold.score, color="#c34e8d", ls=(0, (4, 3)), lw=1, label=label)
        left.legend(loc="lower right")
    return figure


def _curve(axes: Axes, ks: list[int], values: Sequence[float | None], chosen: int, label: str) -> None:
    known = {k: value for k, value in zip(ks, values, strict=True) if value is not None}
    axes.plot(list(known), list(known.values()), "o-", ms=3.5, color=style.ACCENT, mfc="white", zorder=3)
    if chosen in known:
        axes.plot([chosen], [known[chosen]], "o", ms=7, color=style.ACCENT, zorder=4)
        axes.annotate(
            f"k = {chosen}", (chosen, known[chosen]), (0, 8), textcoords="offset points", ha="center"
        )
    axes.grid(axis="y")
    axes.xaxis.set_major_locator(style.whole_numbers())
    axes.set_xlabel("k, phases")
    axes.set_ylabel(label)
