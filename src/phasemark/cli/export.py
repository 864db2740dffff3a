"""phasemark export: points, vectors and timelines for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    source: options.AnySource,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="simpoint, gem5, pinpoints, nemu, champsim, looppoint, markers, threads; vectors: bb, "
            "exp-bbv; timeline: trace.",
        ),
    ],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Folder to write to [DIR/TARGET].")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the workload [the folder's].")] = None,
    warmup_check: Annotated[
        bool,
        typer.Option(
            "--warmup-check",
            help="Only the points whose warm-up is checked (points --warmup-check), with the longer one "
            "[to DIR/TARGET-warmup-check].",
        ),
    ] = False,
    quiet: options.Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files as one JSON object.")] = False,
) -> None:
    """Write the points, vectors or timeline of a run as another tool reads them."""
    from phasemark.cli.printing import emit
    from phasemark.workflow import run_of

    exported = run_of(source).export(to, out, name=name, warmup_check=warmup_check)
    files = [str(file) for file in exported.files]
    emit(
        lambda: {"files": files, "notes": list(exported.notes)},
        lambda: [*files, *(f"note: {note}" for note in exported.notes)],
        quiet=quiet,
        as_json=as_json,
    )
