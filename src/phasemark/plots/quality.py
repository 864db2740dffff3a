"""Quality: CoV and CIM against the number of phases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.plots.choice import chosen
from phasemark.views.analysis import Analysis
from phasemark.views.palette import COLOURS
from phasemark.views.quality import curves, lie_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(analysis: Analysis, metrics: Sequence[str] = ()) -> Figure:
    """CoV_wa and CIM of metrics that were compared, by k; the line is the k that was chosen.

    Args:
        analysis: of a run.
        metrics: to draw, in this order; none: the foremost.

    Raises:
        DataError: quality was not measured against k, or not that of one of these metrics.
    """
    if not analysis.against_k:
        raise DataError(
            "quality was not measured against k", hint="run `phasemark quality DIR --against-k` first"
        )
    picked = chosen(analysis.against_k, metrics)
    shown = dict(zip(metrics, picked, strict=True)) or curves(analysis)
    figure = style.figure(7.0, 3.0)
    panels = figure.subplots(1, 2)
    compared = analysis.phases.k in next(iter(shown.values()))["k"]
    for axes, column, scale, label in zip(
        panels,
        ("cov", "cim"),
        (100, 1),
        ("CoV within phases, %", f"CIM of a sample of {analysis.sample:g}, %"),
        strict=True,
    ):
        # From 0; where metrics lie far apart by their magnitudes, which show no 0.
        apart = lie_apart([value for by_k in shown.values() for value in by_k[column]])
        for colour, (metric, by_k) in zip(itertools.cycle(COLOURS), shown.items(), strict=False):
            values = [scale * value for value in by_k[column]]
            axes.plot(
                by_k["k"],
                _broken(values) if apart else values,
                "o-",
                ms=2.5,
                lw=1.2,
                color=colour,
                label=metric,
            )
        axes.set_xlabel("k, phases" if compared else f"k, phases; {analysis.phases.k}, as chosen, is beyond")
        if compared:
            axes.axvline(analysis.phases.k, color=style.SOFT, ls=(0, (4, 3)), lw=0.8)
        if apart:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter("{x:g}")
        else:
            axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(style.whole_numbers())
        axes.set_ylabel(label)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _broken(values: list[float]) -> list[float]:
    """A line that ends where magnitudes show no value, instead of falling out of the picture there."""
    return [value if value > 0 else math.nan for value in values]
