"""Figures: one file a kind, each with `draw(run) -> matplotlib Figure`; `write` saves one.

`run` reads an analysed run; `bins`, `distances`, `path`, `hottest`, `palette` prepare what figures and
the report show. Matplotlib is loaded when a figure is drawn.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from phasemark.errors import UsageError
from phasemark.plots import style
from phasemark.views.run import Run

#: Every kind of figure; each is a module here.
KINDS = ("strip", "similarity", "scores", "trajectory", "shares", "metrics", "quality", "estimate")

__all__ = ["KINDS", "Run", "possible", "write"]


def possible(run: Run) -> tuple[str, ...]:
    """The kinds that this run has the data for."""
    from phasemark.plots.estimate import base

    there = {
        "scores": bool(run.phases.scores),
        "metrics": run.metrics is not None,
        "quality": bool(run.against_k),
        "estimate": any(map(base, run.estimates)),
    }
    return tuple(kind for kind in KINDS if there.get(kind, True))


def write(run: Run, kind: str, path: str | Path) -> None:
    """Draw one figure and save it as PNG, SVG or PDF; equal inputs give equal bytes.

    Args:
        run: what to show.
        kind: one of KINDS.
        path: the file; its ending names the format.

    Raises:
        UsageError: an unknown kind or ending.
        DataError: the run has not what the figure shows; the hint names the command that makes it.
        WorkError: the file cannot be written.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no figure {kind!r}", hint=f"choose one of {', '.join(KINDS)}, all")
    style.form(path)
    with style.styled():
        style.save(importlib.import_module(f"phasemark.plots.{kind}").draw(run), path)
