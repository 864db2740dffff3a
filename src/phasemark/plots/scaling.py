"""Scaling: time and instructions of each phase against threads (parallel-phases, figures 7 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phasemark import parallel
from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.views.analysis import Analysis
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

#: Phases in the legend, those with most of the time.
_NAMED = 9


def draw(analysis: Analysis) -> Figure:
    """Elapsed time of each phase, how much faster it is, and its instructions, a line a phase.

    Raises:
        DataError: the runs do not differ in their number of threads, or have no clock.
    """
    metrics = parallel.cycles_of_all(analysis.metrics, analysis.profile.interval_table)
    found = parallel.scaling(analysis.profile, analysis.phases, metrics)
    if len(set(found.threads.tolist())) < 2:
        raise DataError(
            "there is only one number of threads",
            hint="join runs with several: phasemark parallel t1/ t2/ t4/ -o joint/",
        )
    order = np.argsort(found.threads, kind="stable")
    threads = found.threads[order]
    ranks = np.argsort(-found.elapsed.max(axis=0), kind="stable").tolist()
    shades = colours(analysis.phases.k)
    figure = style.figure(7.0, 2.9)
    time, faster, work = figure.subplots(1, 3)
    for rank, phase in enumerate(ranks):
        label = analysis.phases.titles[phase] if rank < _NAMED else None
        for axes, values in ((time, found.elapsed), (faster, found.speedup), (work, found.instructions)):
            _line(axes, threads, values[order, phase], shades[phase], label if axes is time else None)
    _line(faster, threads, found.whole_speedup[order], style.INK, "program")
    ideal = threads / threads[0]
    faster.plot(threads, ideal, ":", color=style.SOFT, lw=1, label="perfect")
    time.set_title(f"elapsed {found.unit}")
    faster.set_title("times as fast")
    work.set_title("instructions")
    for axes in (time, work):
        axes.yaxis.set_major_formatter(style.count)
        axes.set_ylim(bottom=0)
    faster.set_ylim(0, max(1.2, 1.15 * float(np.nanmax(np.append(ideal, found.whole_speedup)))))
    for axes in (time, faster, work):
        axes.set_xticks(sorted(set(threads.tolist())))
        axes.set_xlabel("threads")
        axes.grid(axis="y")
    figure.legend(loc="outside lower center", ncols=6, fontsize=7, handlelength=1.4)
    return figure


def _line(
    axes: Axes, threads: NDArray[np.int64], values: NDArray[np.float64], colour: str, label: str | None
) -> None:
    axes.plot(threads, values, "o-", color=colour, ms=3, label=label or "_")
