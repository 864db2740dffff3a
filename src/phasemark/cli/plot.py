"""phasemark plot: one figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot")(plot)


def plot(
    folder: options.RunFolder,
    kind: Annotated[
        str,
        typer.Argument(
            help="strip, similarity, scores, trajectory, shares, metrics, quality or estimate; or all."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="FIG", help="The file; .png, .svg or .pdf. With all: x-KIND.svg."
        ),
    ],
) -> None:
    """Draw one figure of a run as PNG, SVG or PDF."""
    from phasemark.workflow import Run

    for file in Run(folder).plot(kind, output):
        print(file)
