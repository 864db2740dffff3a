"""Options that several commands take, and what their texts mean."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer

from phasemark.errors import UsageError, shown

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def count(text: str | int) -> int:
    """What `5`, `10k` or `1.5M` says, as a whole number; k, M and G are decimal, in either case.

    Raises:
        BadParameter: it says none; Typer names the option.
    """
    written = re.fullmatch(
        r"([+-]?\d[\d_]{,40}(?:\.\d{1,9})?)\s*([kmg]?)", str(text).strip().lower(), re.ASCII
    )
    value = Decimal(written[1].replace("_", "")) * _UNITS[written[2]] if written else Decimal("0.5")
    if value != int(value):
        raise typer.BadParameter(f"{shown(str(text))} is no whole number; write it as 500000, 500k, 1M or 2G")
    return int(value)


def at_least(least: int) -> Callable[[str | int], int]:
    """`count`, of no fewer than `least`."""

    def parse(text: str | int) -> int:
        value = count(text)
        if value < least:
            raise typer.BadParameter(f"{value} is less than {least}")
        return value

    return parse


def states(text: str | int) -> int | list[int]:
    """What `8` or `2,4,8` says: a number, or several.

    Raises:
        BadParameter: it says none; Typer names the option.
    """
    numbers = [count(part) for part in str(text).split(",")]
    return numbers if len(numbers) > 1 else numbers[0]


def tempering(text: str | int) -> float | None:
    """What `1000` or `10k` says; of `all`, that every instruction counts.

    Raises:
        BadParameter: it says neither; Typer names the option.
    """
    return None if text == "all" else float(count(text))


def bounded(text: str | int) -> int | None:
    """What `32` says; of `all`, that there is no bound.

    Raises:
        BadParameter: it says neither; Typer names the option.
    """
    return None if text == "all" else count(text)


def given(**values: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def is_given(context: typer.Context, name: str) -> bool:
    """Whether the command line holds an option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


# Of every command that analyses.
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")]
AnySource = Annotated[
    Path, typer.Argument(metavar="DIR|FILE", help="A run's folder, a profile.h5 or a vector file.")
]

# Of commands that run a program.
Command = Annotated[
    list[str],
    typer.Argument(metavar="CMD", help="After --: the program and its arguments.", show_default=False),
]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--out", help="Folder for the results.  [default: PROGRAM.phasemark]"),
]
Interval = Annotated[
    str, typer.Option(help="Instructions per interval: 10k, 1M, 100M ... or auto (about 1000 intervals).")
]
CollectorName = Annotated[
    str,
    typer.Option("--collector", help="What records the program: valgrind, qemu, perf (sampled), exp-bbv."),
]
Process = Annotated[
    str | None,
    typer.Option(
        help="Of a program that starts others, the process to analyse: its number in the list shown, its "
        "pid or its program's name; all, together; or one, with the most instructions.  [default: one if it "
        "has 80% of them, else all]"
    ),
]
SmcCheck = Annotated[
    str | None,
    typer.Option(
        "--smc-check",
        metavar="CODE",
        help="Code that is looked at each time, in case it was rewritten: none, stack, all, all-non-file.  "
        "[default: as the program's files suggest]",
    ),
]
Signature = Annotated[
    str | None,
    typer.Option(
        help="With --collector perf, what samples are a count of: block, loop, function or address.  "
        "[default: block]"
    ),
]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help="Leave what the collector wrote in OUT/raw.")]
RunQuiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
RunJson = Annotated[bool, typer.Option("--json", help="End with a summary as one line of JSON on stdout.")]
Minimum = Annotated[
    int | None,
    typer.Option(
        "--min",
        parser=count,
        metavar="N",
        help="Instructions of an interval at least: 1M.  [default: --max / 5, or as for 1000 intervals]",
    ),
]
Maximum = Annotated[
    int | None,
    typer.Option("--max", parser=count, metavar="N", help="Instructions at most: 5M.  [default: 5 x --min]"),
]
Configuration = Annotated[
    str,
    typer.Option(
        "--config", metavar="CONFIG", help="Of the timing model: modern, paper, little, or a TOML file."
    ),
]
Events = Annotated[
    bool,
    typer.Option(
        "--events", help="Record loops, calls and returns, too, and write events.h5: for variable intervals."
    ),
]
NoMemory = Annotated[
    bool,
    typer.Option(
        "--no-memory",
        help="Do not record how long ago memory was used and how branches surprise: takes less time.",
    ),
]
Timing = Annotated[
    str | None,
    typer.Option(
        metavar="CONFIG",
        help="Run the timing model in the same run, and write metrics.csv: modern, paper, little, or a TOML"
        " file.",
    ),
]

#: Options end at the program's name: what follows is the program's.
CONTEXT = {"allow_interspersed_args": False}

# Of phases and points.
MaxK = Annotated[
    int | None,
    typer.Option(
        parser=count,
        metavar="N",
        help="Largest number of phases to try.  [default: 30; of intervals of variable length their square "
        "root]",
    ),
]
K = Annotated[
    int | None, typer.Option("--k", "-k", parser=count, metavar="N", help="Exactly so many phases.")
]
Search = Annotated[str, typer.Option(help="all, binary, or a step: which k to try.")]
Threshold = Annotated[
    str,
    typer.Option(
        metavar="SHARE", help="Part of the score's range that the k taken must reach, as 90% or 0.9."
    ),
]
Select = Annotated[
    str | None,
    typer.Option(
        metavar="CRITERION",
        help="Which k to take: bic-threshold, bic-resolved, bic-correlated, calinski-harabasz, explained, "
        "noise-floor, silhouette or elbow.  [default: bic-threshold; of intervals of variable length "
        "bic-resolved]  Of other models: bic or held-out.  [default: bic]",
    ),
]
Compared = Annotated[
    str | None,
    typer.Option(
        help="What of an interval is compared: blocks (or code), loops (and calls and returns), or blocks "
        "and beside them code+behaviour: how long ago memory was used and how branches surprise, or "
        "code+events: what metrics.csv says of caches, TLBs and branches.  [default: code+behaviour where it "
        "was recorded, else blocks]"
    ),
]
Dims = Annotated[int, typer.Option(parser=count, metavar="N", help="Dimensions to project to.")]
Seed = Annotated[int, typer.Option(parser=count, metavar="N", help="Of the projection and of the model.")]
Restarts = Annotated[
    int | None,
    typer.Option(
        parser=count,
        metavar="N",
        help="Fits from other starts; the best counts.  [default: simpoint 5, other models 15]",
    ),
]
Confidence = Annotated[str, typer.Option(metavar="SHARE", help="Of the error bars, as 95% or 0.95.")]
Coverage = Annotated[
    str,
    typer.Option(metavar="SHARE", help="Keep the largest phases that make up so much, as 95% or 0.95."),
]


def share(option: str, text: str) -> float:
    """What an option's `2%` or `0.02` says. A plain 2 may mean either 2% or 200%, and is refused.

    Raises:
        UsageError: neither, or more than 1 without a percent sign.
    """
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{option} {shown(text)} is no share", hint="write 2% or 0.02")
    if value > 1 and not text.endswith("%"):
        raise UsageError(
            f"{option} {value:g} is more than the whole", hint=f"write {value:g}%, or {value / 100:g}"
        )
    return value


def numbers(option: str, text: str) -> list[int]:
    """Whole numbers from 1, with commas between them: `1,2,4`.

    Raises:
        UsageError: they are no such numbers.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(re.fullmatch("[0-9]{1,9}", word) and int(word) for word in words):
        raise UsageError(f"{option} {shown(text)}", hint="give whole numbers from 1: 1,2,4")
    return [int(word) for word in words]


def length(text: str) -> int:
    """What `100k` or `1M` says, as instructions per interval.

    Raises:
        UsageError: it says none.
    """
    from phasemark.collect import interval_length

    instructions = interval_length.parse(text)
    if instructions == "auto":
        raise UsageError(
            "--interval auto is for recording", hint="give the length that was asked for, or leave it out"
        )
    return instructions


def search(text: str) -> int | str:
    """What --search says: a step as a number, other words as they are."""
    return int(text) if text.isdecimal() else text
