"""phasemark parallel: runs with different numbers of threads, or inputs, in one folder."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("parallel")(parallel)


def parallel(
    sources: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Runs of a program, each in its folder.")
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write to.")],
    threads: Annotated[
        str,
        typer.Option(help="separate: threads keep their intervals; merged: those of one time are one."),
    ] = "separate",
    by: Annotated[
        str, typer.Option(help="What is the same code: block, of different builds function, or auto.")
    ] = "block",
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Join runs of a program into one folder: with other numbers of threads, or other inputs.

    Writes profile.h5, and metrics.csv if all runs were measured. Then go on with `phasemark phases`, which
    finds phases over all threads of all runs, and `phasemark scaling`.
    """
    from phasemark import workflow
    from phasemark.cli.printing import emit, joined, tell_discarded

    result = workflow.parallel(sources, out, by=by, threads=threads)
    tell_discarded(result.discarded, "this profile")
    emit(lambda: joined.summary(result), lambda: joined.lines(result), quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        folder = result.folder
        files = f"{folder.profile} and metrics.csv" if result.metrics is not None else str(folder.profile)
        print(f"wrote {files}; next: phasemark phases {quote(str(folder.path))}")
