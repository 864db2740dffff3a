"""phasemark phases: which intervals behave alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("phases")(phases)


def phases(
    source: Annotated[
        Path, typer.Argument(metavar="DIR|FILE", help="A run's folder, a profile.h5 or a vector file.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to write to [the run's own, or FILE.phasemark]."),
    ] = None,
    max_k: Annotated[int, typer.Option(help="Largest number of phases to try.")] = 30,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Exactly so many phases.")] = None,
    search: Annotated[str, typer.Option(help="all, binary, or a step: which k to try.")] = "all",
    restarts: Annotated[int, typer.Option(help="Runs of k-means for each k.")] = 5,
    threshold: Annotated[
        float, typer.Option(help="Part of the score's range that the k taken must reach.")
    ] = 0.9,
    dims: Annotated[int, typer.Option(help="Dimensions to project to.")] = 15,
    seed: Annotated[int, typer.Option(help="Of the projection and of k-means.")] = 1,
    init: Annotated[str, typer.Option(help="kmeans++, furthest or sample.")] = "kmeans++",
    sample_size: Annotated[
        int, typer.Option(help="Cluster a sample of so many intervals; 0: all.")
    ] = 100_000,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")] = False,
) -> None:
    """Find the phases of a run; write phases.csv, model.h5 and labels."""
    from phasemark import points
    from phasemark.cli import printing, steps
    from phasemark.cli.progress import progress

    options = steps.PhaseOptions(
        max_k=max_k,
        k=k,
        search=_search(search),
        restarts=restarts,
        threshold=threshold,
        dims=dims,
        seed=seed,
        init=init,
        sample_size=sample_size or None,
    )
    folder = steps.open_run(source, out)
    with progress("Clustering", quiet=quiet or as_json) as report:
        found = steps.find_phases(folder, options, report)
    picked = points.nearest(found.profile.interval_table, found.phases)
    printing.show(steps.summary(found.profile, found.phases, picked), quiet=quiet, as_json=as_json)


def _search(text: str) -> int | str:
    return int(text) if text.isdecimal() else text
