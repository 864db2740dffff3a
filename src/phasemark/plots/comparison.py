"""Comparison: what each phase takes in two runs, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark import parallel
from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Phases shown one by one, those that changed most; the others, and what takes next to nothing, are one bar.
SHOWN = 14


def draw(analysis: Analysis) -> Figure:
    """Two bars a phase, before (pale) and after, and beside them the change.

    Raises:
        DataError: the profile is not of two runs.
    """
    metrics = parallel.cycles_of_all(analysis.metrics, analysis.profile.interval_table)
    found = parallel.compare(analysis.profile, analysis.phases, metrics)
    order, shades = found.order(), colours(analysis.phases.k)
    shown = [phase for phase in order if found.is_worth_showing(phase)][:SHOWN]
    rest = [phase for phase in order if phase not in shown]
    base = 100 / (float(found.whole[0]) or 1.0)
    times = np.nan_to_num(found.time) * base
    bars = [times[:, phase] for phase in shown]
    if rest:
        bars.append(times[:, rest].sum(axis=1))
    inks = [shades[phase] for phase in shown] + [style.SOFT] * bool(rest)
    figure = style.figure(6.0, 0.9 + 0.3 * len(bars))
    axes = figure.subplots()
    at = np.arange(len(bars))
    for row, (offset, alpha) in enumerate(((-0.2, 0.45), (0.2, 1.0))):
        axes.barh(at + offset, [bar[row] for bar in bars], height=0.38, color=inks, alpha=alpha)
    for place, bar in enumerate(bars):
        axes.annotate(
            f"{bar[1] - bar[0]:+.1f}",
            (bar.max(), place),
            (4, 0),
            textcoords="offset points",
            va="center",
            size=7,
        )
    axes.set_xlim(0, 1.15 * max((bar.max() for bar in bars), default=1.0))
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_yticks(at, [analysis.phases.names[phase] for phase in shown] + ["others"] * bool(rest))
    axes.set_xlabel(f"{found.unit}, % of all before; pale: before, full: after")
    axes.set_ylabel("phase")
    return figure
