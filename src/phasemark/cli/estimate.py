"""phasemark estimate: the whole run's metrics from its points, with error bars."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("estimate")(estimate)


def estimate(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")],
    *,
    metrics: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Results of the points, of any simulator; more than once for one file a point "
            "[DIR/point-metrics.csv, else DIR/metrics.csv].",
        ),
    ] = None,
    confidence: options.Confidence = "95%",
    seeds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Also the spread over N seeds of clustering and choice."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the estimates as one JSON object.")] = False,
) -> None:
    """Estimate the metrics of the whole run from its simulated points, each with an error bar.

    Where metrics.csv covers the whole run, compares with it. Writes estimate.csv. `phasemark simulate`
    goes first, or another simulator's results are given.
    """
    from phasemark.cli import estimating
    from phasemark.cli.progress import progress
    from phasemark.store.folder import Folder

    folder = Folder(source)
    found = estimating.estimate_run(folder, metrics or [], options.share(confidence))
    spread: estimating.OverSeeds | None = None
    if seeds is not None:
        with progress("Comparing seeds", quiet=quiet or as_json) as report:
            spread = estimating.over_seeds(folder, seeds, report)
    estimating.show(found, spread, quiet=quiet, as_json=as_json)
