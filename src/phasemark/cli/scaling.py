"""phasemark scaling: which phases make what of more threads."""

from __future__ import annotations

from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("scaling")(scaling)


def scaling(
    source: options.AnySource,
    *,
    threads: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...", help="Threads that each run counts as, in order: 1,2,4 [all that ran]."
        ),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Say what each phase makes of more threads, and which phases limit the program.

    Needs phases. Of one run: how many threads run at once in each phase. Of several that were joined
    (`phasemark parallel`): speed-up and efficiency. Writes nothing.
    """
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import scaling as shown
    from phasemark.workflow import run_of

    told = None if threads is None else options.numbers("--threads", threads)
    result = run_of(source).scaling(threads=told)
    emit(lambda: shown.summary(result), lambda: shown.lines(result), quiet=quiet, as_json=as_json)
