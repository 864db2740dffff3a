"""The options of phasemark track: of both its kinds, of a run's folder alone, and of a program that runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from phasemark.cli import options
from phasemark.errors import UsageError

#: Options that one kind has and the other refuses, as parameters of the command.
LIVE = ("collector", "pid", "interval", "log", "on_change", "metrics", "listen")
FOLDER = ("out", "adapt", "deviation", "replace")

#: Those of a tracker's sizes that may be without bound.
SIZES = ("counters", "bits", "compressed_bits", "signatures")

# Of both.
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DIR|FILE|CMD",
        help="A run's folder, a profile.h5 or a vector file; with --live a program and its arguments.",
        show_default=False,
    ),
]
Threshold = Annotated[
    float,
    typer.Option(metavar="D", help="A signature is matched by what is nearer: above 0, at most 2."),
]
MinCount = Annotated[
    int,
    typer.Option(parser=options.count, metavar="N", help="Sightings that make a signature a phase."),
]
Predictor = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="last, moves, rle-markov, rle-markov-2; with commas, or given again [all].",
    ),
]
Counters = Annotated[
    Any,
    typer.Option(
        parser=options.bounded, metavar="N|all", help="Counters that code is hashed to; all: exact."
    ),
]
Bits = Annotated[Any, typer.Option(parser=options.bounded, metavar="N|all", help="Bits of a counter.")]
CompressedBits = Annotated[
    Any, typer.Option(parser=options.bounded, metavar="N|all", help="Bits of it that a signature keeps.")
]
Headroom = Annotated[
    int,
    typer.Option(parser=options.count, metavar="N", help="Of these, bits above the mean counter's."),
]
Signatures = Annotated[
    Any, typer.Option(parser=options.bounded, metavar="N|all", help="Signatures that are remembered.")
]
Unrestricted = Annotated[
    bool, typer.Option("--unrestricted", help="All of these sizes without bound, as software can.")
]
Policy = Annotated[str, typer.Option(help="A matched signature: keep, replace or average.")]
Seed = Annotated[int, typer.Option(parser=options.count, metavar="N", help="Of the hash and the projection.")]
Signature = Annotated[
    str,
    typer.Option(
        help="What of an interval is compared: blocks (or code), loops (and calls and returns); with --live "
        "of samples, function, block, loop or address."
    ),
]
Largest = Annotated[int, typer.Option(parser=options.at_least(1), metavar="N", help="Phases in the tables.")]

# Of a program that runs.
Live = Annotated[bool, typer.Option("--live", help="Track a program while it runs.")]
Collector = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="With --live: perf samples; valgrind and qemu run the program, and count all that it executes.",
    ),
]
Pid = Annotated[int | None, typer.Option(metavar="PID", help="With --live: a process that runs already.")]
Interval = Annotated[
    int | None,
    typer.Option(
        parser=options.count,
        metavar="N",
        help="With --live: length of an interval, in nanoseconds on a processor, or instructions where "
        "these are counted.  [default: 200 samples; 10M instructions with --collector]",
    ),
]
Log = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="With --live: add a line of JSON for each change of phase."),
]
OnChange = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="With --live: a shell command at each change, which finds the phase in $PHASE.",
    ),
]
Metrics = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="With --live: OpenMetrics, written anew each second."),
]
Listen = Annotated[
    str | None,
    typer.Option(metavar="[HOST:]PORT", help="With --live: the same by HTTP, on loopback unless told."),
]

# Of a run's folder.
Out = Annotated[
    Path | None,
    typer.Option("-o", "--out", help="Folder to write to [the run's own, or FILE.phasemark]."),
]
Adapt = Annotated[
    str | None,
    typer.Option(
        metavar="METRIC", help="Halve a phase's threshold where this varies in it: cpi.  [default: none]"
    ),
]
Deviation = Annotated[
    str, typer.Option(metavar="SHARE", help="With --adapt: how far from the mean is too far.")
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Make these the run's phases, whatever others there are.")
]


def given(context: typer.Context, *, live: bool) -> dict[str, Any]:
    """The options that the command line holds, by name.

    Raises:
        UsageError: one is of the other kind.
    """
    found = {name: value for name, value in context.params.items() if options.is_given(context, name)}
    others = FOLDER if live else LIVE
    for name in others:
        if name in found:
            why, hint = (
                ("is for a run's folder", "leave it out with --live")
                if live
                else ("is for a program that runs", "give --live, too")
            )
            raise UsageError(f"--{name.replace('_', '-')} {why}", hint=hint)
    return found


def sizes(values: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of a tracker that some options say, `int | None`; None: without bound."""
    if values.get("unrestricted"):
        return dict.fromkeys(SIZES)
    return {name: values[name] for name in SIZES if name in values}


def predictors(texts: Iterable[str] | None) -> tuple[str, ...]:
    """The predictors that --predictor names, given once or again."""
    return tuple(name for text in texts or () for name in text.split(",") if name)
