"""phasemark run: profile, phases, points and report, in one go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import options
from phasemark.cli.intervals import find
from phasemark.cli.profiling import check_request, leave, machine, record
from phasemark.errors import PhasemarkError, UsageError
from phasemark.errors import shown as quoted

if TYPE_CHECKING:
    from phasemark.collect import Recording
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow import IntervalOptions, PhaseOptions, PointOptions, Run
    from phasemark.workflow.full_check import FullCheckResult
    from phasemark.workflow.standard_input import StandardInput


#: Options that `phasemark phases` has, too.
_OF_PHASES = ("max_k", "k", "seed", "dims", "search", "threshold", "select", "signature")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=options.CONTEXT)(run)


def run(
    context: typer.Context,
    command: options.Command,
    *,
    out: options.Out = None,
    interval: options.Interval = "auto",
    intervals: Annotated[
        str,
        typer.Option(help="fixed, or variable: the program runs again, cut where it repeats itself."),
    ] = "fixed",
    minimum: options.Minimum = None,
    maximum: options.Maximum = None,
    collector: options.CollectorName = "valgrind",
    process: options.Process = None,
    smc_check: options.SmcCheck = None,
    keep_raw: options.KeepRaw = False,
    max_k: options.MaxK = None,
    k: options.K = None,
    seed: options.Seed = 1,
    dims: options.Dims = 15,
    search: options.Search = "all",
    threshold: options.Threshold = "90%",
    select: options.Select = None,
    signature: options.Compared = None,
    coverage: options.Coverage = "100%",
    timing: options.Timing = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Simulate the points and the whole run, and compare what they say."),
    ] = False,
    with_report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html.")] = True,
    quiet: options.RunQuiet = False,
    as_json: options.RunJson = False,
) -> None:
    """Profile a program, find its phases and points, write a report.

    For example: phasemark run -o out --interval 1M -- gzip -9 -k -f some-file

    Does what `phasemark profile`, `phases`, `points` and `report` do one after the other. Exits as
    `phasemark profile` does. With --check, the program runs twice more: for its points, and for the
    whole run, unless --timing had that simulated with the profile. With --intervals variable, it
    does what `phasemark intervals` does too.
    """
    from phasemark.cli import interruption
    from phasemark.cli.printing import full_check, kept
    from phasemark.cli.printing import intervals as hierarchies
    from phasemark.cli.printing import recording as shown
    from phasemark.store.folder import Folder
    from phasemark.workflow import PhaseOptions, PointOptions, Run
    from phasemark.workflow import recording as recordings
    from phasemark.workflow.standard_input import StandardInput

    phase_options = PhaseOptions(
        k=k,
        search=options.search(search),
        threshold=options.share("--threshold", threshold),
        dims=dims,
        seed=seed,
        signature=signature,
        **options.given(max_k=max_k, select=select),
    )
    point_options = PointOptions(coverage=options.share("--coverage", coverage))
    # Now, not after the program has run for hours.
    point_options.check()
    variable = _variable(intervals, minimum, maximum)
    config = machine(timing)
    _check_phases(phase_options, collector, timed=config is not None, variable=variable is not None)
    # Intervals of variable length are measured when the program runs again, cut at them.
    first_config = None if variable else config
    check_request(
        command,
        out,
        interval,
        collector,
        recordings.followed(process, again=check),
        timing=first_config,
        events=variable is not None,
        smc_check=smc_check,
        again=check,
    )
    stdin = StandardInput.here()
    commands = _further_commands(context, check=check, with_report=with_report, timing=timing)
    # One command from first to last, whatever it does in between.
    with Folder(recordings.folder_for(command, out)).create().held("run", takes_long=True):
        recording = record(
            command,
            out,
            interval,
            collector,
            recordings.followed(process, again=check),
            timing=first_config,
            events=variable is not None,
            smc_check=smc_check,
            keep_raw=keep_raw,
            quiet=quiet,
        )
        (shown.warn if quiet else shown.show)(recording)
        if recording.is_beside:
            if as_json:
                print(json.dumps(shown.summary(recording)))
            leave(recording)
        done = Run(recording.folder.path, recording=recording)
        compared, failed = None, None
        again = _runs_again(recording, variable=variable is not None, check=check)
        with interruption.telling(lambda: kept.line(done.folder, commands(done.path))):
            found = None
            if variable is not None and again and not recording.failure:
                found = find(done, variable, timing=config, stdin=stdin.rewound(), quiet=quiet)
            analysis = _analyse(done, phase_options, point_options, quiet=quiet)
            try:
                compared = _compare(done, config, stdin, quiet=quiet) if check and again else None
            except PhasemarkError as error:
                failed = error  # told last: phases and points are there all the same
            page = done.report() if with_report else None
    if not quiet:
        _show(done, analysis, compared, page)
    if as_json:
        more = {} if compared is None else {"check": full_check.summary(compared)}
        more |= {} if found is None else {"hierarchy": hierarchies.summary(found)}
        print(json.dumps({**shown.summary(recording), **analysis, **more}))
    if failed is not None:
        raise failed
    leave(recording)
    if compared is not None and compared.status:
        raise typer.Exit(compared.status)


def _check_phases(wanted: PhaseOptions, collector: str, *, timed: bool, variable: bool) -> None:
    """See that phases can be found as asked for in what will be recorded.

    Raises:
        UsageError: they cannot.
    """
    from phasemark.workflow.recording import require_recorded

    wanted.check()
    require_recorded(wanted.signature, collector=collector, timed=timed, events=variable)


def _runs_again(recording: Recording, *, variable: bool, check: bool) -> bool:
    """Whether the program may be run again: who interrupts it wants no more of it; says what is left out."""
    from phasemark.cli.printing import kept, say

    if recording.was_stopped and (variable or check):
        say(kept.interrupted(variable=variable, check=check))
    return not recording.was_stopped


def _show(run: Run, analysis: dict[str, Any], compared: FullCheckResult | None, page: Path | None) -> None:
    """What was done, for people."""
    from phasemark.cli.printing import full_check, points, say, show_aside

    if page is not None:
        say(f"wrote {page}")
    show_aside(points.lines(analysis))
    for sentence in run.missing_names():
        say(sentence)
    if compared is not None:
        full_check.show(compared)
    say(f"everything is in {run.path}")


def _variable(intervals: str, minimum: int | None, maximum: int | None) -> IntervalOptions | None:
    """How intervals of variable length are to be found; None: they are to be of fixed length.

    Raises:
        UsageError: options that make no sense, or no such intervals.
    """
    from phasemark.workflow import IntervalOptions

    if intervals not in ("fixed", "variable"):
        raise UsageError(f"--intervals {quoted(intervals)}", hint="write fixed or variable")
    if intervals == "fixed":
        if minimum is not None or maximum is not None:
            raise UsageError(
                "--min and --max are for intervals of variable length", hint="add --intervals variable"
            )
        return None
    wanted = IntervalOptions(minimum, maximum)
    wanted.check()
    return wanted


def _further_commands(
    context: typer.Context, *, check: bool, with_report: bool, timing: str | None
) -> Callable[[Path], dict[str, str]]:
    """Of a folder: step -> the command that does it as this one would, in order."""

    def given(*names: str) -> list[str]:
        flags = [name for name in names if options.is_given(context, name)]
        return [word for name in flags for word in (f"--{name.replace('_', '-')}", str(context.params[name]))]

    def lengths() -> list[str]:
        bounds = {"--min": context.params["minimum"], "--max": context.params["maximum"]}
        return [word for flag, n in bounds.items() if n is not None for word in (flag, str(n))]

    def commands(folder: Path) -> dict[str, str]:
        further = {} if context.params["intervals"] == "fixed" else {"intervals": ["intervals", *lengths()]}
        further |= {
            "phases": [
                "phases",
                *given("max_k", "k", "seed", "dims", "search", "threshold", "select", "signature"),
            ],
            "points": ["points", *given("coverage")],
        }
        if check:
            further["simulation"] = ["simulate", *([] if timing is None else ["--config", timing])]
            further["metrics"] = ["simulate", "--full"]
            further["estimate"] = ["estimate"]
        if with_report:
            further["report"] = ["report"]
        return {
            step: join(["phasemark", name, str(folder), *more]) for step, (name, *more) in further.items()
        }

    return commands


def _analyse(
    run: Run, phase_options: PhaseOptions, point_options: PointOptions, *, quiet: bool
) -> dict[str, Any]:
    """Phases and points, written to the folder; the summary of them."""
    from phasemark.cli.printing import behaviour, points
    from phasemark.cli.progress import progress

    with progress("Clustering", quiet=quiet) as tell:
        run.find_phases(phase_options, progress=tell)
    picked = run.pick_points(point_options)
    summary = points.summary(
        picked.intervals,
        picked.phases,
        picked.points,
        picked.notes,
        run.folder.analysed,
        begins=run.phase_markers(),
        unit=run.folder.length_unit,
        compared_by=run.compared_by,
        behaviour=behaviour.summary(run),
    )
    return {**summary, "functions": run.hottest_functions()}


def _compare(run: Run, config: TimingConfig | None, stdin: StandardInput, *, quiet: bool) -> FullCheckResult:
    from phasemark.cli.printing import simulation
    from phasemark.cli.progress import watching

    passes = ["simulating"]
    with watching(lambda: passes[-1], quiet=quiet, total=lambda: run.folder.instructions) as tell:
        compared = run.check(
            config,
            stdin=stdin,
            progress=tell,
            beginning=lambda what: passes.append(f"simulating {what}"),
        )
    for result in compared.simulations:
        simulation.warn(result)
    return compared
