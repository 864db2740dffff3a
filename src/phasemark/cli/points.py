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
    source: options.AnySource,
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
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Pick the intervals of a run to simulate, phase by phase.

    Writes points.csv, and simpoints, weights and labels as SimPoint does. `phasemark phases` goes first.
    With --budget and --target-error, what was measured so far (point-metrics.csv, metrics.csv) says how
    much each phase varies.
    """
    from phasemark import workflow
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import points as shown

    wanted = workflow.PointOptions(
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
    picked = workflow.run_of(source, out).pick_points(wanted)
    tell_discarded(picked.discarded, "these are other points")
    summary = shown.summary(picked.intervals, picked.phases, picked.points, picked.notes)
    emit(lambda: summary, lambda: shown.lines(summary), quiet=quiet, as_json=as_json)
