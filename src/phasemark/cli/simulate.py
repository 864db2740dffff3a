"""phasemark simulate: the points of a run, or all of it, on the timing model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import collecting, simulating


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate)


def simulate(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CMD",
            help="After --: the program and its arguments.  [default: as it was profiled]",
            show_default=False,
        ),
    ] = None,
    *,
    full: Annotated[bool, typer.Option("--full", help="Simulate everything, not only the points.")] = False,
    config: simulating.Configuration = "modern",
    warmup: Annotated[
        int | None,
        typer.Option(
            help="Instructions to warm up before each point.  "
            "[default: as many as the point has, 500,000 to 3,000,000]"
        ),
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="Take the points of another table.  [default: DIR/points.csv]")
    ] = None,
    quiet: collecting.Quiet = False,
    as_json: collecting.Json = False,
) -> None:
    """Run the program again and count, in its simulation points, what a machine would do.

    For example: phasemark simulate out

    Writes point-metrics.csv, or metrics.csv with --full. The program keeps its input, output and exit
    status, as with `phasemark profile`; where it went well but did not come to some of the points, the
    status is 1.
    """
    from phasemark.cli import steps
    from phasemark.errors import UsageError
    from phasemark.simulate.config import load

    if full and (points is not None or warmup is not None):
        raise UsageError("with --full everything is simulated", hint="leave out --points and --warmup")
    machine = load(config)
    folder = steps.run_folder(source)
    if full:
        done = simulating.simulate_all(folder, machine, command=command or (), quiet=quiet)
    else:
        done = simulating.simulate_points(
            folder, machine, points=points, warmup=warmup, command=command or (), quiet=quiet
        )
    if quiet:
        simulating.warn(done)
    else:
        simulating.show(done)
    if as_json:
        print(json.dumps(simulating.summary(done)))
    if done.status:
        raise typer.Exit(done.status)
