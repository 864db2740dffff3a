"""phasemark intervals: intervals of variable length, which follow what the program repeats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from phasemark.cli import options, profiling
from phasemark.cli.profiling import machine
from phasemark.errors import UsageError

if TYPE_CHECKING:
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow import IntervalOptions, IntervalsResult, Run


#: What says how a run is cut, by parameter, as a user writes it.
_NAMES = {
    "minimum": "--min",
    "maximum": "--max",
    "every": "--every",
    "coverage": "--coverage",
    "shortest": "--shortest",
    "seed": "--seed",
    "timing": "--timing",
    "command": "a program",
}

#: What of it has an effect on a part of the work that is asked for alone, and what the part does.
_WITH = {"fixed": (), "levels": ("every", "coverage", "shortest", "seed"), "grammar": ("every",)}
_DOES = {
    "fixed": "goes back to the intervals that were recorded",
    "levels": "only shows the hierarchy",
    "grammar": "only shows what repeats",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("intervals")(intervals)


def intervals(
    context: typer.Context,
    source: options.AnySource,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CMD",
            help="After --: the program and its arguments.  [default: as it was profiled]",
            show_default=False,
        ),
    ] = None,
    *,
    minimum: options.Minimum = None,
    maximum: options.Maximum = None,
    every: Annotated[
        int,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Leave out of the grammar what recurs more often than once in N instructions; 0: nothing.",
        ),
    ] = 10_000,
    coverage: Annotated[
        str,
        typer.Option(
            metavar="SHARE", help="Instructions that repetitions are to make up; the rest is transitions."
        ),
    ] = "90%",
    shortest: Annotated[
        int,
        typer.Option(
            parser=options.count,
            metavar="N",
            help="Instructions of the shortest leaf; the minimum, where that is less.",
        ),
    ] = 10_000,
    seed: Annotated[
        int, typer.Option(parser=options.count, metavar="N", help="Of the phases of each level.")
    ] = 1,
    timing: options.Timing = None,
    levels: Annotated[
        bool, typer.Option("--levels", help="Only show the hierarchy: run nothing, write nothing.")
    ] = False,
    grammar: Annotated[
        bool,
        typer.Option("--grammar", help="Only show what repeats: loop nests with their source lines."),
    ] = False,
    fixed: Annotated[bool, typer.Option("--fixed", help="Go back to the intervals of fixed length.")] = False,
    quiet: options.RunQuiet = False,
    as_json: options.RunJson = False,
) -> None:
    """Cut a run into intervals of variable length, which follow what the program repeats.

    For example: phasemark intervals out --min 1M --max 5M

    For a run that was recorded with `phasemark profile --events`. Finds a hierarchy of intervals in its
    loops, calls and returns, selects those of the lengths asked for, and runs the program once more, cut
    at them. Writes hierarchy.h5 and profile.h5; the profile that was there is kept as fixed.h5. The program
    keeps its input and output; phasemark itself writes to standard error. Then go on with
    `phasemark phases`.
    """
    from phasemark import workflow
    from phasemark.cli.printing import intervals as shown
    from phasemark.cli.printing import say, tell_discarded

    run = workflow.run_of(source)
    if fixed + levels + grammar > 1:
        raise UsageError("--fixed, --levels and --grammar do different things", hint="give one of them")
    wanted = workflow.IntervalOptions(
        minimum, maximum, every, options.share("--coverage", coverage), shortest, seed
    )
    if only := [name for name in _WITH if context.params[name]]:
        _refuse(context, *only)
    if levels or grammar:
        (_show_levels if levels else _show_grammar)(run, wanted, quiet=quiet, as_json=as_json)
        return
    if fixed:
        discarded = run.restore_fixed()
        tell_discarded(discarded, "the intervals of fixed length")
        if not quiet:
            say(f"{run.folder.profile} has intervals of fixed length again")
        if as_json:
            print(json.dumps({"intervals": len(run.intervals), "discarded": discarded}))
        return
    result = find(
        run,
        wanted,
        timing=machine(timing),
        command=command or (),
        stdin=profiling.STDIN,
        quiet=quiet,
    )
    if not quiet:
        folder = run.folder
        say(
            f"wrote {folder.profile} and {folder.hierarchy.name}; "
            f"next: phasemark phases {quote(str(folder.path))}"
        )
    if as_json:
        print(json.dumps(shown.summary(result)))


def find(
    run: Run,
    wanted: IntervalOptions,
    *,
    timing: TimingConfig | None,
    command: Sequence[str] = (),
    stdin: int | None,
    quiet: bool,
) -> IntervalsResult:
    """Find intervals and run the program again, show how far that is, and what came of it."""
    from phasemark.cli.printing import intervals as shown
    from phasemark.cli.printing import show_aside, tell_discarded
    from phasemark.cli.progress import plain, watching

    with watching("finding intervals", quiet=quiet, total=lambda: run.folder.instructions) as headway:
        result = run.find_intervals(
            wanted,
            timing=timing,
            command=command,
            stdin=stdin,
            progress=plain("Levels of the hierarchy", quiet=quiet),
            watching=headway,
        )
    tell_discarded(result.discarded, "these intervals")
    if not quiet:
        show_aside(shown.lines(result))
    shown.warn(result)
    return result


def _show_levels(run: Run, wanted: IntervalOptions, *, quiet: bool, as_json: bool) -> None:
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import intervals as shown
    from phasemark.cli.progress import progress
    from phasemark.workflow.intervals import levels_of

    with progress("Levels of the hierarchy", quiet=quiet or as_json) as tell:
        found = levels_of(run.find_hierarchy(wanted, progress=tell))
    emit(lambda: list(map(asdict, found)), lambda: shown.table(found), quiet=quiet, as_json=as_json)


def _show_grammar(run: Run, wanted: IntervalOptions, *, quiet: bool, as_json: bool) -> None:
    from phasemark.cli.printing import emit
    from phasemark.cli.printing import grammar as shown

    found = run.grammars(every=wanted.every)
    emit(lambda: shown.summary(found), lambda: shown.lines(found), quiet=quiet, as_json=as_json)


def _refuse(context: typer.Context, only: str) -> None:
    """See that nothing is given that has no effect where only a part of the work is done.

    Args:
        context: of the command.
        only: which part, as its parameter is called.

    Raises:
        UsageError: something is.
    """
    given = [name for name in _NAMES if name not in _WITH[only] and options.is_given(context, name)]
    if given:
        raise UsageError(
            f"--{only} {_DOES[only]}, and {' and '.join(_NAMES[name] for name in given)} "
            f"{'is' if len(given) == 1 else 'are'} for cutting the run",
            hint="give one or the other",
        )
