"""phasemark plot: one figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot")(plot)


def plot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")],
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
    from phasemark import plots
    from phasemark.views import read

    analysis = read(folder)
    kinds = plots.possible(analysis) if kind == "all" else (kind,)
    files = [output.with_stem(f"{output.stem}-{name}") if kind == "all" else output for name in kinds]
    for name, file in zip(kinds, files, strict=True):
        plots.write(analysis, name, file)
        print(file)
