"""phasemark points: which intervals to simulate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import options
from phasemark.errors import UsageError

if TYPE_CHECKING:
    from phasemark.workflow import PointOptions


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
    warmup: Annotated[
        int,
        typer.Option(
            parser=options.count, metavar="N", help="Instructions to warm up before each point: 500k, 1M."
        ),
    ] = 0,
    warmup_check: Annotated[
        int | None,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Points to be simulated again with 16 times the warm-up, which tells what stays cold: 6.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="nearest, stratified, random, systematic, start or skip, or by what intervals execute: "
            "cluster-center, max-likelihood-1 or -2, max-posterior, obs-model-dist-1 to -4 [nearest for one "
            "point a phase, else stratified]."
        ),
    ] = None,
    per_phase: Annotated[
        int | None, typer.Option(parser=options.count, metavar="N", help="Points of each phase [1].")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Points in all, two of each of as many strata as that allows: groups of like intervals, "
            "finer than phases.",
        ),
    ] = None,
    target_error: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="As many points as CPI should need to come within, as 2%."),
    ] = None,
    confidence: options.Confidence = "95%",
    from_: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take the points that another tool chose: SimPoint's simpoints and weights (and labels), "
            "PinPoints' or LoopPoint's CSV, XiangShan's JSON, champsim.csv, points.csv. Once for each file.",
        ),
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(help="With --from: instructions per interval, where DIR has no profile: 1M, 100M."),
    ] = None,
    workload: Annotated[
        str | None, typer.Option(help="With --from: which of a file that holds several.")
    ] = None,
    seed: Annotated[int, typer.Option(parser=options.count, metavar="N", help="Of random choices.")] = 1,
    no_tail_points: Annotated[
        bool,
        typer.Option("--no-tail-points", help="No interval that was cut short, as the last of a run."),
    ] = False,
    no_pilot: Annotated[
        bool,
        typer.Option("--no-pilot", help="Plan by distances alone, whatever was measured."),
    ] = False,
    strata: Annotated[
        str,
        typer.Option(help="Of a budget or a target error: draw from strata of their own, or from phases."),
    ] = "own",
    guard: Annotated[
        int | None,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Beside nearest points, which may be biased in programs that nothing shows, N random "
            "intervals that tell by how much.",
        ),
    ] = None,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Pick the intervals of a run to simulate: of each phase, or of strata, which are finer.

    Writes points.csv, and simpoints, weights and labels as SimPoint does. `phasemark phases` goes first;
    for points that another tool chose (--from), not even a profile need be there.
    With --budget and --target-error, points are drawn from strata, which may cross phases, and what was
    measured so far (point-metrics.csv, else metrics.csv) says how much each stratum varies, unless
    --no-pilot is given.
    """
    from phasemark import workflow
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import points as shown

    wanted = workflow.PointOptions(
        coverage=options.share("--coverage", coverage),
        early=early,
        warmup=warmup,
        method=method,
        per_phase=per_phase,
        budget=budget,
        target_error=None if target_error is None else options.share("--target-error", target_error),
        confidence=options.share("--confidence", confidence),
        seed=seed,
        tail_points=not no_tail_points,
        use_pilot=not no_pilot,
        strata=strata,
        guard=guard,
        warmup_check=warmup_check,
    )
    if not from_ and (interval is not None or workload is not None):
        raise UsageError("--interval and --workload are of points that another tool chose", hint="add --from")
    run = workflow.run_of(source, out, new=bool(from_))
    if from_:
        picked = run.import_points(from_, **_told(wanted), interval=interval, workload=workload)
    else:
        picked = run.pick_points(wanted)
    tell_discarded(picked.discarded, "these points")
    begins = None if picked.phases is None else run.phase_markers()
    summary = shown.summary(
        picked.intervals,
        picked.phases,
        picked.points,
        picked.notes,
        run.folder.analysed,
        begins=begins,
        unit=run.folder.length_unit,
        compared_by=run.compared_by,
    )
    summary["pilot"] = None if picked.pilot is None else picked.pilot.entry()
    emit(lambda: summary, lambda: shown.lines(summary), quiet=quiet, as_json=as_json)


def _told(wanted: PointOptions) -> dict[str, Any]:
    """What options say of points that another tool chose."""
    from phasemark.workflow import PointOptions

    covered, warmup = wanted.coverage, wanted.warmup
    beside: dict[str, Any] = {"guard": wanted.guard, "warmup_check": wanted.warmup_check}
    seed = wanted.seed if any(beside.values()) else PointOptions().seed
    if wanted != PointOptions(coverage=covered, warmup=warmup, seed=seed, **beside):
        raise UsageError(
            "with --from the points are as another tool chose them",
            hint="of the options, --coverage, --interval, --warmup and --workload say what its files do not; "
            "--guard and --warmup-check add to them",
        )
    return {
        "coverage": None if covered == 1 else covered,
        "warmup": warmup or None,
        "seed": seed,
        **beside,
    }
