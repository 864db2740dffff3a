"""phasemark plot: one figure."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot")(plot)


def plot(
    folder: options.AnySource,
    kind: Annotated[
        str,
        typer.Argument(
            help="strip, lanes, machine, posterior, similarity, scores, trajectory, accumulated, shares, "
            "metrics, hierarchy, quality, scaling, comparison, models, track or estimate; or all."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="FIG", help="The file; .png, .svg or .pdf. With all: x-KIND.svg."
        ),
    ],
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Of lanes, metrics, quality and estimate, what to show: cpi,l1d_mpki; may be given again "
            "[the foremost].",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="WxH", help="1200x400 (dots), 7x2.5in, 18x6cm or 180x60mm [what suits the figure]."
        ),
    ] = None,
    dpi: Annotated[float, typer.Option(help="Dots an inch, of PNG and of a size in dots.")] = 200,
) -> None:
    """Draw one figure of a run as PNG, SVG or PDF."""
    from phasemark import workflow

    # Where it has no place to keep its list of fonts, or makes that for long, it would say so on our stream.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    metrics = [name for given in metric or () for name in given.split(",") if name]
    for file in workflow.run_of(folder).plot(kind, output, metrics=metrics, size=size, dpi=dpi):
        print(file)
