"""phasemark phases: which intervals behave alike."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("phases")(phases)


def phases(
    source: options.AnySource,
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to write to [the run's own, or FILE.phasemark]."),
    ] = None,
    max_k: options.MaxK = 30,
    k: options.K = None,
    search: options.Search = "all",
    restarts: Annotated[
        int, typer.Option(parser=options.count, metavar="N", help="Runs of k-means for each k.")
    ] = 5,
    threshold: options.Threshold = "90%",
    dims: options.Dims = 15,
    seed: options.Seed = 1,
    signature: Annotated[
        str, typer.Option(help="What of an interval is compared: blocks, or loops (and calls and returns).")
    ] = "blocks",
    init: Annotated[str, typer.Option(help="incremental, kmeans++, furthest or sample.")] = "incremental",
    sample_size: Annotated[
        int,
        typer.Option(
            parser=options.count, metavar="N", help="Cluster a sample of so many intervals; 0: all."
        ),
    ] = 100_000,
    select: options.Select = "bic-threshold",
    stability: Annotated[
        bool,
        typer.Option("--stability", help="Only compare what several seeds give; write stability.csv."),
    ] = False,
    seeds: Annotated[
        int,
        typer.Option(parser=options.count, metavar="N", help="With --stability: how many, from --seed on."),
    ] = 10,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Read and project anew what is known; keep nothing.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Find the phases of a run: which intervals behave alike.

    Writes phases.csv, model.h5, and labels where the run has one thread. Then go on with
    `phasemark points`.
    """
    from phasemark import points, workflow
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import points as shown
    from phasemark.cli.printing import stability as compared
    from phasemark.cli.progress import progress

    wanted = workflow.PhaseOptions(
        max_k=max_k,
        k=k,
        search=options.search(search),
        restarts=restarts,
        threshold=options.share("--threshold", threshold),
        dims=dims,
        seed=seed,
        signature=signature,
        init=init,
        sample_size=sample_size or None,
        select=select,
    )
    run = workflow.open(source, out, cached=not no_cache)
    tell_discarded(run.discarded, "this profile")
    if stability:
        with progress("Comparing seeds", quiet=quiet or as_json) as tell:
            over_seeds = run.compare_seeds(wanted, seeds=seeds, progress=tell)
        emit(
            lambda: compared.summary(over_seeds),
            lambda: compared.lines(over_seeds),
            quiet=quiet,
            as_json=as_json,
        )
        return
    with progress("Clustering", quiet=quiet or as_json) as tell:
        result = run.find_phases(wanted, progress=tell, cached=not no_cache)
    tell_discarded(result.discarded, "these phases")
    picked = points.nearest(result.intervals, result.phases)
    summary = shown.summary(result.intervals, result.phases, picked, process=run.folder.analysed)
    emit(lambda: summary, lambda: shown.lines(summary, picked=False), quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        folder = run.folder
        print(
            f"wrote {folder.phases} and {folder.model.name}; next: phasemark points {quote(str(folder.path))}"
        )
