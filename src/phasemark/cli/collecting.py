"""What `profile` and `run` share: their options, and running the program with progress shown."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli.printing import plural

if TYPE_CHECKING:
    from phasemark.collect import Headway, Recording
    from phasemark.simulate.config import TimingConfig

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
    str, typer.Option("--collector", help="What records the program: valgrind, exp-bbv.")
]
Process = Annotated[
    str | None,
    typer.Option(
        help="Of a program that starts others, the process to analyse: its number in the list shown, its "
        "pid or its program's name.  [default: the one with the most instructions]"
    ),
]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help="Leave what the collector wrote in OUT/raw.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")]
Json = Annotated[bool, typer.Option("--json", help="End with a summary as one line of JSON on stdout.")]

#: Options end at the program's name: what follows is the program's.
CONTEXT = {"allow_interspersed_args": False}

_LINE_SECONDS = 10.0


def say(sentence: str) -> None:
    """A line of ours, on standard error: standard output is the program's."""
    print(f"phasemark: {sentence}", file=sys.stderr, flush=True)


def collect(
    command: list[str],
    out: Path | None,
    interval: str,
    collector: str,
    process: str | None,
    *,
    keep_raw: bool,
    quiet: bool,
    timing: TimingConfig | None = None,
) -> Recording:
    """Run the program under its collector, perhaps with the timing model on, and show how far it is."""
    from phasemark.collect import Request, interval_length, record
    from phasemark.store.folder import Folder

    flat = None if timing is None else timing.flat()
    request = Request(tuple(command), interval_length.parse(interval), collector, process, flat, stdin=0)
    folder = out or Path(f"{Path(command[0]).name}.phasemark")
    if Folder(folder).holds_run() and not quiet:
        say(f"{folder} holds an earlier run, whose files are replaced")
    with progress(quiet) as tell:
        return record(request, folder, keep_raw=keep_raw, progress=tell)


def show(run: Recording) -> None:
    """The summary of a profile, for people."""
    from phasemark.collect import interval_length, listing

    profile = run.profile
    if len(run.images) > 1:
        say(f"{len(run.images)} processes; {run.analysed.program} (no. {run.analysed.number}) is analysed:")
        print(listing(run.images, run.analysed), file=sys.stderr)
    length = interval_length.written(profile.provenance.interval or 0)
    say(
        f"{run.analysed.program}: {profile.instructions:,} instructions in "
        f"{plural(len(profile.interval_table), 'interval')} of {length}, "
        f"{plural(run.analysed.threads, 'thread')}, {plural(len(profile.block_table), 'block')}"
    )
    warn(run)


def warn(run: Recording) -> None:
    """What the user should know, even with --quiet."""
    for sentence in run.warnings:
        say(f"warning: {sentence}")
    if run.status:
        say(f"the program's exit status is {run.status}")
    if run.failure:
        say(run.failure)


def summary(run: Recording) -> dict[str, Any]:
    """The summary of a profile, for scripts."""
    profile = run.profile
    return {
        "folder": str(run.folder.path),
        "program": run.analysed.program,
        "instructions": profile.instructions,
        "intervals": len(profile.interval_table),
        "interval": profile.provenance.interval,
        "blocks": len(profile.block_table),
        "threads": run.analysed.threads,
        "status": run.status,
        "complete": profile.provenance.complete,
        "failure": run.failure,
        "analysed": run.analysed.number,
        "processes": [image.summary() for image in run.images],
        "warnings": list(run.warnings),
    }


def leave(run: Recording) -> None:
    """Exit as the program did; with 1 if it went well but the profile did not.

    Raises:
        Exit: unless the status is 0.
    """
    status = run.status or int(bool(run.failure))
    if status:
        raise typer.Exit(status)


@contextlib.contextmanager
def progress(
    quiet: bool, what: str = "profiling", total: int | None = None
) -> Iterator[Callable[[Headway], None] | None]:
    """A line that is drawn anew where it cannot garble the program's output, else one now and then.

    Args:
        quiet: say nothing.
        what: is being done.
        total: instructions to come to; None: that is not known.
    """
    if quiet:
        yield None
    elif sys.stderr.isatty() and not sys.stdout.isatty():
        from rich.console import Console

        with Console(stderr=True).status(what) as status:
            yield lambda progress: status.update(_sentence(progress, what, total))
    else:
        yield _now_and_then(what, total)


def _now_and_then(what: str, total: int | None) -> Callable[[Headway], None]:
    last = time.monotonic()

    def show_progress(progress: Headway) -> None:
        nonlocal last
        if time.monotonic() - last >= _LINE_SECONDS:
            last = time.monotonic()
            say(_sentence(progress, what, total))

    return show_progress


def _sentence(progress: Headway, what: str, total: int | None) -> str:
    share = f" ({min(progress.instructions / total, 1):.0%})" if total else ""
    return f"{what}: {progress.instructions:,} instructions{share} in {progress.seconds:.0f} s" + (
        f", {progress.processes} processes" if progress.processes > 1 else ""
    )
