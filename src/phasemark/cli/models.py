"""phasemark models: models of phases side by side."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("models")(models)


def models(
    source: options.AnySource,
    *,
    which: Annotated[
        str,
        typer.Option(
            "--models",
            metavar="NAME[,NAME...]",
            help="simpoint, mixture, hmm or hsmm (whose phases are mostly those of hmm).",
        ),
    ] = "simpoint,mixture,hmm",
    states: Annotated[
        Any, typer.Option(parser=options.states, metavar="N[,N...]", help="How many each is asked for.")
    ] = "4,8,16,32,64",
    representation: Annotated[
        str,
        typer.Option(metavar="NAME[,NAME...]", help="What models of counts see: full, reweight, random."),
    ] = "full",
    select: Annotated[
        str, typer.Option(metavar="METHOD[,METHOD...]", help="How points are chosen, one a phase.")
    ] = "nearest,cluster-center,obs-model-dist-1,max-posterior",
    estimator: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]", help="epm1, epm2 or weights; see estimate.")
    ] = "epm1,epm2",
    metric: Annotated[str, typer.Option(help="That phases are homogeneous in, and points estimate.")] = "cpi",
    tempering: Annotated[
        Any,
        typer.Option(
            parser=options.tempering,
            metavar="N|all",
            help="Independent instructions that a mean interval counts for.",
        ),
    ] = "1000",
    restarts: options.Restarts = None,
    seed: options.Seed = 1,
    seeds: Annotated[
        int, typer.Option(parser=options.count, metavar="N", help="Fits of each, from --seed on.")
    ] = 1,
    held_out: Annotated[
        str,
        typer.Option(
            metavar="SHARE", help="Of each thread's intervals to hold out of a second fit; 0: none."
        ),
    ] = "20%",
    signature: Annotated[
        str, typer.Option(help="What of an interval is looked at: blocks or loops.")
    ] = "blocks",
    quiet: options.Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Compare models of phases on a run: likelihood, homogeneity, and errors of points, side by side.

    Writes models.csv, and where metrics.csv covers the whole run (`phasemark simulate --full`)
    models-points.csv. The run's own phases stay. A comparison that was cut short goes on where it was.
    """
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import models as shown
    from phasemark.cli.progress import progress
    from phasemark.workflow import ModelOptions, run_of

    wanted = ModelOptions(
        models=_names(which),
        states=states,
        representations=_names(representation),
        methods=_names(select),
        estimators=_names(estimator),
        metric=metric,
        tempering=tempering,
        restarts=restarts,
        seed=seed,
        seeds=seeds,
        held_out=options.share("--held-out", held_out),
        signature=signature,
    )
    run = run_of(source)
    with progress("Comparing models", quiet=quiet or as_json) as tell:
        result = run.compare_models(wanted, progress=tell)
    tell_discarded(result.discarded, "this comparison")
    emit(lambda: shown.summary(result), lambda: shown.lines(result), quiet=quiet, as_json=as_json)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))
