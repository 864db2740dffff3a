"""phasemark quality: how homogeneous the phases are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("quality")(quality)


def quality(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder, with metrics.csv.")],
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="cpi, l1d_mpki, ipc, a counter ...; may be given again [every ratio]."),
    ] = None,
    n: Annotated[float, typer.Option("-n", "--sample", help="Intervals that CIM's sample measures.")] = 100,
    confidence: Annotated[str, typer.Option(metavar="SHARE", help="Of CIM, as 95% or 0.95.")] = "95%",
    plan: Annotated[
        bool, typer.Option("--plan", help="Measure whole numbers of intervals, at least one a phase.")
    ] = False,
    largest: Annotated[
        int,
        typer.Option(parser=options.at_least(1), metavar="N", help="Phases in the table beside the whole."),
    ] = 5,
    against_k: Annotated[
        bool, typer.Option("--against-k", help="Also cluster with 1 to 20 phases, and compare.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Measure how much metrics vary within the phases of a run: CoV, CIM, reduction in deviation.

    Needs metrics.csv, of `phasemark simulate --full` or `import --metrics`. Writes quality.csv, and with
    --against-k quality-k.csv.
    """
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import quality as shown
    from phasemark.cli.progress import progress
    from phasemark.workflow import QualityOptions, run_of

    wanted = QualityOptions(tuple(metric or ()), n, options.share("--confidence", confidence), plan)
    run = run_of(source)
    with progress("Clustering", quiet=quiet or as_json or not against_k) as tell:
        result = run.quality(wanted, against_k=against_k, progress=tell)
    emit(
        lambda: shown.summary(result),
        lambda: shown.lines(result, largest, each=bool(metric), begins=run.phase_markers()),
        quiet=quiet,
        as_json=as_json,
    )
