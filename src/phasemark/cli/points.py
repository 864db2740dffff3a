"""phasemark points: which intervals to simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("points")(points)


def points(
    source: Annotated[
        Path, typer.Argument(metavar="DIR|FILE", help="A run's folder, a profile.h5 or a vector file.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The folder that `phasemark phases` wrote to.")
    ] = None,
    coverage: options.Coverage = 1.0,
    early: Annotated[bool, typer.Option("--early", help="Prefer early intervals near a centre.")] = False,
    warmup: Annotated[int, typer.Option(help="Instructions to warm up before each point.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")] = False,
) -> None:
    """Pick a simulation point for each phase of a run.

    Writes points.csv, and simpoints, weights and labels as SimPoint does. `phasemark phases` goes first.
    """
    from phasemark.cli import printing, steps

    folder = steps.run_folder(source, out)
    profile, phases, picked = steps.pick_points(folder, steps.PointOptions(coverage, early, warmup))
    printing.show(steps.summary(profile, phases, picked), quiet=quiet, as_json=as_json)
