"""Posterior: phases under a metric's curve, and how sure a model is of them.

"Probabilistic generative models", figure 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import DataError, counted
from phasemark.plots import style
from phasemark.plots.metrics import panel
from phasemark.quality.measured import foremost, measured, names
from phasemark.views.analysis import Analysis
from phasemark.views.graphs import graph
from phasemark.views.palette import colours
from phasemark.views.posterior import SURE, posterior
from phasemark.views.threads import longest, threads

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis) -> Figure:
    """Of the longest thread: CPI where it was measured, and the probability of each phase, stacked.

    Where a model is sure, the stack is the strip of phases.

    Raises:
        DataError: the model of the phases knows no probabilities.
    """
    every = threads(analysis.profile)
    thread = longest(every)
    shown = posterior(analysis, thread)
    if shown is None:
        raise DataError(
            "the phases have no probabilities", hint="run `phasemark phases DIR --model hmm` first"
        )
    metric = foremost(names(analysis.metrics))[:1] if analysis.metrics is not None else []
    panels_of = [*metric, ""]
    figure = style.figure(7.0, 0.8 + 1.1 * len(panels_of))
    panels = figure.subplots(len(panels_of), 1, sharex=True, squeeze=False)[:, 0]
    if metric and analysis.metrics is not None:
        curve = measured(analysis.metrics, analysis.profile.interval_table, metric[0])
        panel(panels[0], curve.title, graph(analysis, thread, curve))
    edges = np.repeat(shown.edges, 2)[1:-1]
    panels[-1].stackplot(
        edges, np.repeat(shown.probability, 2, axis=1), colors=colours(analysis.phases.k), lw=0
    )
    panels[-1].set_ylim(0, 1)
    panels[-1].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    unsure = f"{shown.unsure:,} of {counted(shown.intervals, 'interval')}"
    title = f"probability of each phase; below {SURE:.0%} in {unsure}"
    panels[-1].set_title(title, loc="left", fontweight="normal", fontsize=8, pad=4)
    panels[-1].set_xlim(0, thread.instructions)
    panels[-1].xaxis.set_major_formatter(style.count)
    panels[-1].set_xlabel(f"instructions of {thread.label}" if len(every) > 1 else "instructions")
    return figure
