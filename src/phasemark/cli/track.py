"""phasemark track: phases interval by interval, as they come."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from phasemark.cli import options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("track")(track)


def track(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR|FILE|CMD",
            help="A run's folder, a profile.h5 or a vector file; with --live, after --, a program and its "
            "arguments.",
            show_default=False,
        ),
    ] = None,
    *,
    live: Annotated[
        bool, typer.Option("--live", help="Track a program while it runs, by samples of perf.")
    ] = False,
    pid: Annotated[
        int | None, typer.Option(metavar="PID", help="With --live: a process that runs already.")
    ] = None,
    interval: Annotated[
        int | None,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="With --live: length of an interval, in nanoseconds on a processor, or instructions where "
            "these are counted.  [default: 200 samples]",
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --live: add a line of JSON for each change of phase."),
    ] = None,
    on_change: Annotated[
        str | None,
        typer.Option(
            metavar="CMD",
            help="With --live: a shell command at each change, which finds the phase in $PHASE.",
        ),
    ] = None,
    metrics: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --live: OpenMetrics, written anew each second."),
    ] = None,
    listen: Annotated[
        str | None,
        typer.Option(metavar="[HOST:]PORT", help="With --live: the same by HTTP, on loopback unless told."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to write to [the run's own, or FILE.phasemark]."),
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(metavar="D", help="A signature is matched by what is nearer: above 0, at most 2."),
    ] = 0.25,
    min_count: Annotated[
        int,
        typer.Option(parser=options.count, metavar="N", help="Sightings that make a signature a phase."),
    ] = 8,
    predictor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="last, moves, rle-markov, rle-markov-2; with commas, or given again [all].",
        ),
    ] = None,
    counters: Annotated[
        Any,
        typer.Option(
            parser=options.bounded, metavar="N|all", help="Counters that code is hashed to; all: exact."
        ),
    ] = 32,
    bits: Annotated[
        Any, typer.Option(parser=options.bounded, metavar="N|all", help="Bits of a counter.")
    ] = 24,
    compressed_bits: Annotated[
        Any, typer.Option(parser=options.bounded, metavar="N|all", help="Bits of it that a signature keeps.")
    ] = 6,
    headroom: Annotated[
        int,
        typer.Option(parser=options.count, metavar="N", help="Of these, bits above the mean counter's."),
    ] = 2,
    signatures: Annotated[
        Any, typer.Option(parser=options.bounded, metavar="N|all", help="Signatures that are remembered.")
    ] = 20,
    unrestricted: Annotated[
        bool, typer.Option("--unrestricted", help="All of these sizes without bound, as software can.")
    ] = False,
    policy: Annotated[str, typer.Option(help="A matched signature: keep, replace or average.")] = "keep",
    adapt: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC", help="Halve a phase's threshold where this varies in it: cpi.  [default: none]"
        ),
    ] = None,
    deviation: Annotated[
        str, typer.Option(metavar="SHARE", help="With --adapt: how far from the mean is too far.")
    ] = "25%",
    seed: Annotated[
        int, typer.Option(parser=options.count, metavar="N", help="Of the hash and the projection.")
    ] = 1,
    signature: Annotated[
        str,
        typer.Option(
            help="What of an interval is compared: blocks, or loops (and calls and returns); with --live "
            "function, block, loop or address."
        ),
    ] = "blocks",
    replace: Annotated[
        bool, typer.Option("--replace", help="Make these the run's phases, whatever others there are.")
    ] = False,
    largest: Annotated[
        int, typer.Option(parser=options.at_least(1), metavar="N", help="Phases in the tables.")
    ] = 5,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Find phases interval by interval, as hardware could while the program runs, and foretell them.

    Writes track.csv and track.h5. Where the run has no phases yet they become the run's, too; phases that
    were found otherwise stay, unless with --replace.

    With --live nothing is written but what --log and --metrics name, and sizes and rules of the tracker have
    other defaults: phasemark track --live -- ./server --port 8080
    """
    from phasemark.cli import track_live

    if live:
        track_live.refuse(context, track_live.NOT_LIVE, "is for a run's folder", "leave it out with --live")
        given = {name: value for name, value in context.params.items() if options.is_given(context, name)}
        track_live.track(words or [], given, quiet=quiet, as_json=as_json)
        return
    track_live.refuse(context, track_live.ONLY_LIVE, "is for a program that runs", "give --live, too")
    source = track_live.one(words or [])
    from phasemark import workflow
    from phasemark.cli.printing import emit, tell_discarded
    from phasemark.cli.printing import track as shown
    from phasemark.cli.progress import progress

    sizes = {"counters": counters, "bits": bits, "compressed_bits": compressed_bits, "signatures": signatures}
    if counters is None:  # exact: there is nothing to fill or to leave out
        sizes |= {n: None for n in ("bits", "compressed_bits") if not options.is_given(context, n)}
    wanted = workflow.TrackOptions(
        threshold,
        min_count,
        **(dict.fromkeys(sizes) if unrestricted else sizes),
        policy=policy,
        headroom=headroom,
        deviation=options.share("--deviation", deviation),
        seed=seed,
        signature=signature,
        adapt=adapt,
        predictors=tuple(name for given in predictor or () for name in given.split(",") if name),
        replace=replace,
    )
    run = workflow.open(source, out)
    tell_discarded(run.discarded, "this profile")
    with progress("Tracking", quiet=quiet or as_json) as tell:
        result = run.track(wanted, progress=tell)
    tell_discarded(result.discarded, "these phases")
    emit(lambda: shown.summary(result), lambda: shown.lines(result, largest), quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        print(f"wrote {run.folder.track} and {run.folder.tracked.name}; {_next(result.replaced, run.path)}")


def _next(replaced: bool, folder: Path) -> str:
    if replaced:
        return f"they are the run's phases; next: phasemark points {quote(str(folder))}"
    return f"the run's phases stay: phasemark track {quote(str(folder))} --replace puts these in their place"
