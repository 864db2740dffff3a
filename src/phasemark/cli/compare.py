"""phasemark compare: two inputs or two builds of a program, phase by phase."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="A run's folder, or of two joined runs.")],
    after: Annotated[
        Path | None, typer.Argument(metavar="AFTER", help="Another run: other input, or another build.")
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="Folder to keep both runs and their phases in, for plot and report [none]."
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(help="What is the same code: block, function, or auto: block where both are one build."),
    ] = "auto",
    max_k: options.MaxK = None,
    k: options.K = None,
    seed: Annotated[int | None, typer.Option(help="Of the search for phases [1].")] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Say what differs between two runs of a program, phase by phase, and why one is slower.

    Finds phases over both runs. Compares cycles where both were measured (`profile --timing`), else
    instructions. Of one folder, of two runs joined with `phasemark parallel`, it compares the phases that are
    there.
    """
    from phasemark import workflow
    from phasemark.cli.printing import comparison, emit, tell_discarded
    from phasemark.cli.progress import progress

    told = options.given(max_k=max_k, k=k, seed=seed)
    chosen = workflow.PhaseOptions(**told) if told else None
    with progress("Clustering", quiet=quiet or as_json) as tell:
        result = workflow.compare(before, after, out, by=by, options=chosen, progress=tell)
    tell_discarded(result.discarded, "this profile")
    emit(lambda: comparison.summary(result), lambda: comparison.lines(result), quiet=quiet, as_json=as_json)
    if out is not None and not (quiet or as_json):
        name = quote(str(out))
        print(f"wrote {out}; next: phasemark points {name}, then phasemark report {name}")
