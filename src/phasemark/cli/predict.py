"""phasemark predict: what comes next."""

from __future__ import annotations

from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("predict")(predict)


def predict(
    source: options.AnySource,
    *,
    held_out: Annotated[
        str,
        typer.Option(
            metavar="SHARE", help="Of each thread's intervals to foretell after a fit without them; 0: none."
        ),
    ] = "20%",
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Say which phase comes next, how long phases last, and how well that is foretold.

    Needs phases (`phasemark phases`), of any model. Writes nothing.
    """
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import predict as shown
    from phasemark.workflow import run_of

    result = run_of(source).predict(held_out=options.share("--held-out", held_out))
    emit(lambda: shown.summary(result), lambda: shown.lines(result), quiet=quiet, as_json=as_json)
