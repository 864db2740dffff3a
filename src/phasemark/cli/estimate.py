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
    source: options.AnySource,
    *,
    metrics: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Results of the points, of any simulator; more than once for one file a point "
            "[DIR/point-metrics.csv, else DIR/metrics.csv].",
        ),
    ] = None,
    warmup_metrics: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Results of the points whose warm-up is checked, with the longer one, as --metrics "
            "[DIR/warmup-metrics.csv].",
        ),
    ] = None,
    confidence: options.Confidence = "95%",
    seeds: Annotated[
        int | None,
        typer.Option(
            parser=options.count, metavar="N", help="Also the spread over N seeds of clustering and choice."
        ),
    ] = None,
    estimator: Annotated[
        str,
        typer.Option(
            help="weights: each point stands for its weight; epm1: for the intervals of its phase; epm2: for "
            "all intervals, by how probable its phase is (phases --model mixture, hmm or hsmm)."
        ),
    ] = "weights",
    quiet: options.Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the estimates as one JSON object.")] = False,
) -> None:
    """Estimate the metrics of the whole run from its simulated points, each with an error bar.

    Where metrics.csv covers the whole run, compares with it. Writes estimate.csv. `phasemark simulate`
    goes first, or another simulator's results are given.
    """
    from phasemark.cli.printing import emit, estimates
    from phasemark.cli.progress import progress
    from phasemark.workflow import OverSeeds, run_of

    run = run_of(source)
    result = run.estimate(
        metrics or (),
        confidence=options.share("--confidence", confidence),
        estimator=estimator,
        warmed=warmup_metrics or (),
    )
    spread: OverSeeds | None = None
    if seeds is not None:
        with progress("Comparing seeds", quiet=quiet or as_json) as tell:
            spread = run.estimate_over_seeds(seeds, progress=tell, estimator=estimator)
    emit(
        lambda: estimates.summary(result, spread),
        lambda: estimates.lines(result, spread),
        quiet=quiet,
        as_json=as_json,
    )
