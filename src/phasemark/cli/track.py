"""phasemark track: phases interval by interval, of a run's folder, or of a program while it runs."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from phasemark.cli import options, track_options


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("track", cls=_Command)(track)


class _Command(TyperCommand):
    """With --live options end at the program's name, as those of profile and run do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = args[: args.index("--")] if "--" in args else args
        ctx.allow_interspersed_args = "--live" not in own
        return super().parse_args(ctx, args)


def track(
    context: typer.Context,
    words: track_options.Words = None,
    *,
    live: track_options.Live = False,
    collector: track_options.Collector = "perf",
    pid: track_options.Pid = None,
    interval: track_options.Interval = None,
    log: track_options.Log = None,
    on_change: track_options.OnChange = None,
    metrics: track_options.Metrics = None,
    listen: track_options.Listen = None,
    out: track_options.Out = None,
    threshold: track_options.Threshold = 0.25,
    min_count: track_options.MinCount = 8,
    predictor: track_options.Predictor = None,
    counters: track_options.Counters = 32,
    bits: track_options.Bits = 24,
    compressed_bits: track_options.CompressedBits = 6,
    headroom: track_options.Headroom = 2,
    signatures: track_options.Signatures = 20,
    unrestricted: track_options.Unrestricted = False,
    policy: track_options.Policy = "keep",
    adapt: track_options.Adapt = None,
    deviation: track_options.Deviation = "25%",
    seed: track_options.Seed = 1,
    signature: track_options.Signature = "blocks",
    replace: track_options.Replace = False,
    largest: track_options.Largest = 5,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Find phases interval by interval, as hardware could while the program runs, and foretell them.

    Writes track.csv and track.h5. Where the run has no phases yet they become the run's, too; phases that
    were found otherwise stay, unless with --replace.

    With --live nothing is written but what --log and --metrics name, and sizes and rules of the tracker have
    other defaults: phasemark track --live -- ./server --port 8080
    """
    from phasemark.cli import track_folder, track_live

    given = track_options.given(context, live=live)
    if live:
        track_live.track(words or [], given, quiet=quiet, as_json=as_json)
    else:
        track_folder.track(words or [], context.params, given, quiet=quiet, as_json=as_json)
