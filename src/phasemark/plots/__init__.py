"""Figures of an analysed run: one file a kind, each with `draw(analysis) -> matplotlib Figure`.

    plots.write("out/", "strip", "strip.svg")            # a run's folder, a Run, or an Analysis
    plots.figure("out/", "strip")                        # the Figure, for a notebook

What is drawn is prepared in `phasemark.views`; Matplotlib is loaded when a figure is drawn.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import UsageError, shown
from phasemark.model import Intervals
from phasemark.plots import choice, style
from phasemark.views import Analysed, as_analysis, estimates
from phasemark.views.lanes import is_possible as have_clock

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Every kind of figure; each is a module here.
KINDS = (
    *("strip", "lanes", "machine", "posterior", "similarity", "scores", "trajectory", "accumulated"),
    *("shares", "metrics", "hierarchy", "quality", "scaling", "comparison", "models", "track", "estimate"),
)

#: Those of them that show metrics, which can be chosen.
OF_METRICS = choice.KINDS

__all__ = ["KINDS", "OF_METRICS", "figure", "possible", "write"]


def possible(run: Analysed) -> tuple[str, ...]:
    """The kinds that this run has the data for.

    Args:
        run: an Analysis, or a run's folder.

    Raises:
        UsageError, DataError: it cannot be read, see `views.read`.
    """
    analysis = as_analysis(run)
    intervals = analysis.profile.interval_table
    several = int(intervals.first_of_thread().sum()) > 1 and have_clock(analysis.profile)
    there = {
        "lanes": several,
        "scaling": several and _differ(intervals),
        "comparison": len(np.unique(intervals.run)) == 2,
        "machine": analysis.phases.states is not None,
        "posterior": analysis.phases.posterior is not None,
        "scores": bool(analysis.phases.scores),
        "metrics": analysis.metrics is not None,
        "hierarchy": analysis.hierarchy is not None
        and (
            analysis.metrics is not None
            or (analysis.fixed is not None and analysis.fixed.metrics is not None)
        ),
        "track": analysis.tracked is not None,
        "models": analysis.compared is not None and bool(analysis.compared.fits),
        "quality": bool(analysis.against_k),
        "estimate": bool(estimates.shown(analysis.estimates)),
    }
    return tuple(kind for kind in KINDS if there.get(kind, True))


def _differ(intervals: Intervals) -> bool:
    """Whether runs have unlike numbers of threads."""
    key = np.unique(np.stack((intervals.run, intervals.thread)), axis=1)
    return len(set(np.unique(key[0], return_counts=True)[1].tolist())) > 1


def figure(
    run: Analysed, kind: str, *, metrics: Sequence[str] = (), size: str | None = None, dpi: float = style.DPI
) -> Figure:
    """Draw one figure.

    Args:
        run: an Analysis, or a run's folder.
        kind: one of KINDS.
        metrics: of those kinds that show metrics, which to show, in this order; none: the foremost.
        size: width and height: `1200x400` (dots), `7x2.5in`, `18x6cm`, `180x60mm`; None: what suits it.
        dpi: dots an inch.

    Raises:
        UsageError: an unknown kind, metrics of a kind that shows none, or no size.
        DataError: the run has not what the figure shows (the hint names the command that makes it), or
            cannot be read.
    """
    _require_known(kind, metrics)
    style.require_dpi(dpi)
    inches = style.inches(size, dpi) if size is not None else None
    module = importlib.import_module(f"phasemark.plots.{kind}")
    with style.styled():
        drawn: Figure = module.draw(as_analysis(run), *([metrics] if metrics else []))
    if inches is not None:
        drawn.set_size_inches(*inches)
    return drawn


def write(
    run: Analysed,
    kind: str,
    path: str | Path,
    *,
    metrics: Sequence[str] = (),
    size: str | None = None,
    dpi: float = style.DPI,
) -> None:
    """Draw one figure and save it as PNG, SVG or PDF; equal inputs give equal bytes.

    Args:
        run: an Analysis, or a run's folder.
        kind: one of KINDS.
        path: the file; its ending names the format.
        metrics, size, dpi: see `figure`; a PNG has so many dots an inch.

    Raises:
        UsageError: an unknown kind or ending, metrics of a kind that shows none, no size, or one in which
            the figure has no room.
        DataError: the run has not what the figure shows (the hint names the command that makes it), or
            cannot be read.
        WorkError: the file cannot be written.
    """
    _require_known(kind, metrics)
    style.form(path)
    style.save(figure(run, kind, metrics=metrics, size=size, dpi=dpi), path, dpi)


def _require_known(kind: str, metrics: Sequence[str]) -> None:
    if kind not in KINDS:
        raise UsageError(f"there is no figure {shown(kind)}", hint=f"choose one of {', '.join(KINDS)}, all")
    if metrics and kind not in choice.KINDS:
        raise UsageError(
            f"the figure {kind} shows no metrics", hint=f"metrics are shown by {', '.join(choice.KINDS)}"
        )


def __dir__() -> list[str]:
    return sorted(__all__)
