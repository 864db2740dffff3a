"""phasemark simulate: the points of a run, or all of it, on the timing model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options, profiling


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate)


def simulate(
    source: options.AnySource,
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
    config: options.Configuration = "modern",
    warmup: Annotated[
        int | None,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Instructions to warm up before each point: 500k, 1M.  "
            "[default: as many as the point has, 500,000 to 3,000,000]",
        ),
    ] = None,
    warmup_check: Annotated[
        bool,
        typer.Option(
            "--warmup-check",
            help="Simulate again the points whose warm-up is checked (points --warmup-check), with 16 times "
            "the warm-up.",
        ),
    ] = False,
    points: Annotated[
        Path | None, typer.Option(help="Take the points of another table.  [default: DIR/points.csv]")
    ] = None,
    quiet: options.RunQuiet = False,
    as_json: options.RunJson = False,
) -> None:
    """Run the program again and count, in its simulation points, what a machine would do.

    For example: phasemark simulate out

    Writes point-metrics.csv, metrics.csv with --full, or warmup-metrics.csv with --warmup-check. The program
    keeps its input, output and exit status, as with `phasemark profile`; where it went well but did not come
    to some of the points, the status is 1.
    """
    from phasemark import workflow
    from phasemark.cli.printing import simulation, tell_discarded
    from phasemark.cli.progress import watching

    run = workflow.run_of(source)
    with watching("simulating", quiet=quiet, total=lambda: run.folder.instructions) as tell:
        result = run.simulate(
            config,
            full=full,
            points=points,
            warmup=warmup,
            warmup_check=warmup_check,
            command=command or (),
            stdin=profiling.STDIN,
            progress=tell,
        )
    tell_discarded(result.discarded, "these metrics")
    if quiet:
        simulation.warn(result)
    else:
        of_phases = result.points is not None and run.folder.model.exists()
        simulation.show(result, run.phase_markers() if of_phases else None)
    if as_json:
        print(json.dumps(simulation.summary(result)))
    if result.status:
        raise typer.Exit(result.status)
