"""Figures of an analysed run: one file a kind, each with `draw(analysis) -> matplotlib Figure`.

    plots.write("out/", "strip", "strip.svg")            # a run's folder, a Run, or an Analysis
    plots.figure("out/", "strip")                        # the Figure, for a notebook

What is drawn is prepared in `phasemark.views`; Matplotlib is loaded when a figure is drawn.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from phasemark.errors import UsageError
from phasemark.plots import style
from phasemark.views import Analysed, as_analysis, estimates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Every kind of figure; each is a module here.
KINDS = ("strip", "similarity", "scores", "trajectory", "shares", "metrics", "quality", "estimate")

__all__ = ["KINDS", "figure", "possible", "write"]


def possible(run: Analysed) -> tuple[str, ...]:
    """The kinds that this run has the data for.

    Args:
        run: an Analysis, or a run's folder.

    Raises:
        UsageError, DataError: it cannot be read, see `views.read`.
    """
    analysis = as_analysis(run)
    there = {
        "scores": bool(analysis.phases.scores),
        "metrics": analysis.metrics is not None,
        "quality": bool(analysis.against_k),
        "estimate": bool(estimates.shown(analysis.estimates)),
    }
    return tuple(kind for kind in KINDS if there.get(kind, True))


def figure(run: Analysed, kind: str) -> Figure:
    """Draw one figure.

    Args:
        run: an Analysis, or a run's folder.
        kind: one of KINDS.

    Raises:
        UsageError: an unknown kind.
        DataError: the run has not what the figure shows (the hint names the command that makes it), or
            cannot be read.
    """
    _require_known(kind)
    with style.styled():
        drawn: Figure = importlib.import_module(f"phasemark.plots.{kind}").draw(as_analysis(run))
    return drawn


def write(run: Analysed, kind: str, path: str | Path) -> None:
    """Draw one figure and save it as PNG, SVG or PDF; equal inputs give equal bytes.

    Args:
        run: an Analysis, or a run's folder.
        kind: one of KINDS.
        path: the file; its ending names the format.

    Raises:
        UsageError: an unknown kind or ending.
        DataError: the run has not what the figure shows (the hint names the command that makes it), or
            cannot be read.
        WorkError: the file cannot be written.
    """
    _require_known(kind)
    style.form(path)
    style.save(figure(run, kind), path)


def _require_known(kind: str) -> None:
    if kind not in KINDS:
        raise UsageError(f"there is no figure {kind!r}", hint=f"choose one of {', '.join(KINDS)}, all")


def __dir__() -> list[str]:
    return sorted(__all__)
