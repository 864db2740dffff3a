"""phasemark points: which intervals to simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("points")(points)


def points(
    source: Annotated[
        Path, typer.Argument(metavar="DIR|FILE", help="A run's folder, a profile.h5 or a vector file.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The folder that `phasemark phases` wrote to.")
    ] = None,
    coverage: options.Coverage = "100%",
    early: Annotated[bool, typer.Option("--early", help="Prefer early intervals near a centre.")] = False,
    warmup: Annotated[int, typer.Option(help="Instructions to warm up before each point.")] = 0,
    method: Annotated[
        str | None,
        typer.Option(
            help="nearest, stratified, random, systematic, start or skip [nearest for one point a phase, "
            "else stratified]."
        ),
    ] = None,
    per_phase: Annotated[int | None, typer.Option(metavar="N", help="Points of each phase [1].")] = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="Points in all, more of phases that are large and vary."),
    ] = None,
    target_error: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="As many points as keep CPI's error bar within, as 2%."),
    ] = None,
    confidence: options.Confidence = "95%",
    seed: Annotated[int, typer.Option(help="Of random choices.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")] = False,
) -> None:
    """Pick the intervals of a run to simulate, phase by phase.

    Writes points.csv, and simpoints, weights and labels as SimPoint does. `phasemark phases` goes first.
    With --budget and --target-error, what was measured so far (point-metrics.csv, metrics.csv) says how
    much each phase varies.
    """
    from phasemark.cli import printing, steps
    from phasemark.estimates import PointOptions

    folder = steps.run_folder(source, out)
    wanted = PointOptions(
        coverage=options.share(coverage),
        early=early,
        warmup=warmup,
        method=method,
        per_phase=per_phase,
        budget=budget,
        target_error=None if target_error is None else options.share(target_error),
        confidence=options.share(confidence),
        seed=seed,
    )
    intervals, phases, picked = steps.pick_points(folder, wanted)
    summary = steps.summary(intervals, phases, picked)
    summary["notes"] += folder.steps()["points"]["notes"]
    printing.show(summary, quiet=quiet, as_json=as_json)
