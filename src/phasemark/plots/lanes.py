"""Lanes: the phases of all threads on one clock, metrics beneath (parallel-phases, figures 1, 2 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError
from phasemark.plots import style
from phasemark.quality.measured import Measured, foremost, measured, names
from phasemark.views.analysis import Analysis
from phasemark.views.graphs import height
from phasemark.views.lanes import Lanes, lanes
from phasemark.views.palette import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

#: Stretches of a lane, at most: more are not told apart in print.
_MOST = 1500
#: Metrics under the lanes of a single run, where none is asked for.
_METRICS = 2
#: Lanes that are named.
_NAMED = 24


def draw(analysis: Analysis, metrics: Sequence[str] = ()) -> Figure:
    """A panel a run, a lane a thread, in the phases' colours; white where a thread is idle.

    Args:
        analysis: of a run, or of several.
        metrics: to show beneath in lanes of their own, in this order; none: of a single run that was measured
            the first two of those that the report shows first.

    Raises:
        DataError: threads have no common clock, or the intervals were not measured for one of these metrics.
    """
    shown = lanes(analysis)
    measures = _chosen(analysis, shown, metrics)
    panels = [(run, metric) for run in shown.runs for metric in (None, *measures)]
    sizes = [_inches(len(shown.of_run(run)), metric is not None) for run, metric in panels]
    figure = style.figure(7.0, 0.75 + sum(sizes) + 0.24 * len(panels))
    every = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=sizes)[:, 0]
    start = {run: shown.span(run)[0] for run in shown.runs}
    for axes, (run, metric) in zip(every, panels, strict=True):
        if metric is None:
            _phases(axes, shown, run, start[run])
        else:
            _bar(figure, axes, _metric(axes, shown, run, start[run], metric), len(shown.of_run(run)))
            axes.set_title(metric.title, fontsize=8, fontweight="normal", pad=3)
        _lanes_named(axes, shown, run)
    every[-1].set_xlim(0, max(end - begin for begin, end in map(shown.span, shown.runs)) or 1)
    every[-1].xaxis.set_major_formatter(style.count)
    every[-1].set_xlabel(shown.timeline.clock)
    _legend(figure, analysis)
    return figure


def _chosen(analysis: Analysis, shown: Lanes, metrics: Sequence[str]) -> list[Measured]:
    if analysis.metrics is None:
        if metrics:
            raise DataError(
                "there are no metrics of the intervals",
                hint="run `phasemark simulate --full`, or `phasemark import --metrics`, first",
            )
        return []
    first = [] if len(shown.runs) > 1 else foremost(names(analysis.metrics))[:_METRICS]
    intervals = analysis.profile.interval_table
    return [measured(analysis.metrics, intervals, name) for name in (metrics or first)]


def _inches(threads: int, of_metric: bool) -> float:
    """Of a panel with so many lanes."""
    return max(0.25, min(0.2, (2.5 if of_metric else 4.5) / threads) * threads)


def _phases(axes: Axes, shown: Lanes, run: int, origin: int) -> None:
    starts, ends, places, phases = [], [], [], []
    begin, finish = shown.span(run)
    thin = (finish - begin) / _MOST
    for at, lane in enumerate(shown.of_run(run)):
        start, end, phase = shown.stretches(lane, _MOST)
        own = phase >= 0
        end = np.maximum(end, start + thin)  # to be seen at all
        starts.append(start[own] - origin)
        ends.append(end[own] - origin)
        phases.append(phase[own])
        places.append(np.full(int(own.sum()), at))
    start, end, place, phase = (np.concatenate(parts) for parts in (starts, ends, places, phases))
    for number, colour in enumerate(colours(shown.timeline.phases)):
        own = phase == number
        if own.any():
            _rectangles(axes, start[own], end[own], place[own], facecolors=colour)
    axes.set_title(shown.title(run), fontsize=8, pad=3)


def _metric(axes: Axes, shown: Lanes, run: int, origin: int, metric: Measured) -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    starts, ends, places, values = [], [], [], []
    for at, lane in enumerate(shown.of_run(run)):
        start, end, value = shown.values(lane, metric, _MOST)
        known = np.isfinite(value)
        starts.append(start[known] - origin)
        ends.append(end[known] - origin)
        values.append(value[known])
        places.append(np.full(int(known.sum()), at))
    start, end, place, value = (np.concatenate(parts) for parts in (starts, ends, places, values))
    high = height(metric.values, metric.lengths.astype(np.int64)) or 1.0
    scale = ScalarMappable(Normalize(0, high), "viridis")
    if len(value):
        _rectangles(axes, start, end, place, facecolors=scale.to_rgba(value))
    return scale


def _bar(figure: Figure, axes: Axes, scale: ScalarMappable, threads: int) -> None:
    bar = figure.colorbar(scale, ax=axes, pad=0.01, aspect=_inches(threads, True) / 0.08, extend="max")
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=6)


def _rectangles(
    axes: Axes,
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    place: NDArray[np.int64],
    **style_of: object,
) -> None:
    """One for each stretch, on its lane."""
    from matplotlib.collections import PolyCollection

    low, high = place - 0.44, place + 0.44
    corners = np.stack(
        [
            np.stack([start, low], 1),
            np.stack([end, low], 1),
            np.stack([end, high], 1),
            np.stack([start, high], 1),
        ],
        1,
    )
    axes.add_collection(PolyCollection(list(corners), linewidths=0, antialiaseds=False, **style_of))  # type: ignore[arg-type]


def _lanes_named(axes: Axes, shown: Lanes, run: int) -> None:
    own = shown.of_run(run)
    every = 1
    while len(own) > _NAMED * every:
        every *= 2
    axes.set_ylim(len(own) - 0.5, -0.5)
    axes.set_yticks(range(0, len(own), every), [str(shown.lanes[lane].thread) for lane in own[::every]])
    axes.tick_params(axis="y", length=0, labelsize=7)
    axes.spines["left"].set_visible(False)
    axes.set_ylabel("thread")


def _legend(figure: Figure, analysis: Analysis) -> None:
    from matplotlib.patches import Patch

    k = analysis.phases.k
    order = np.argsort(-analysis.shares, kind="stable")[:10].tolist()
    patches = [Patch(color=colours(k)[phase], label=analysis.phases.titles[phase]) for phase in sorted(order)]
    figure.legend(handles=patches, loc="outside lower center", ncols=5, fontsize=7, handlelength=1.0)
