"""phasemark run: profile, phases, points and report, in one go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import options
from phasemark.cli.profile import leave, machine, record
from phasemark.errors import PhasemarkError

if TYPE_CHECKING:
    from phasemark.simulate.config import TimingConfig
    from phasemark.workflow import PhaseOptions, PointOptions, Run
    from phasemark.workflow.comparison import ComparisonResult
    from phasemark.workflow.standard_input import StandardInput


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=options.CONTEXT)(run)


def run(
    command: options.Command,
    *,
    out: options.Out = None,
    interval: options.Interval = "auto",
    collector: options.CollectorName = "valgrind",
    process: options.Process = None,
    keep_raw: options.KeepRaw = False,
    max_k: options.MaxK = 30,
    k: options.K = None,
    seed: options.Seed = 1,
    dims: options.Dims = 15,
    search: options.Search = "all",
    threshold: options.Threshold = "90%",
    select: options.Select = "bic-threshold",
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
    whole run, unless --timing had that simulated with the profile.
    """
    from phasemark.cli.printing import comparison, points, say, show_aside
    from phasemark.cli.printing import recording as shown
    from phasemark.workflow import PhaseOptions, PointOptions, Run
    from phasemark.workflow.standard_input import StandardInput

    phase_options = PhaseOptions(
        max_k=max_k,
        k=k,
        search=options.search(search),
        threshold=options.share("--threshold", threshold),
        dims=dims,
        seed=seed,
        select=select,
    )
    point_options = PointOptions(coverage=options.share("--coverage", coverage))
    # Now, not after the program has run for hours.
    phase_options.check()
    point_options.check()
    config = machine(timing)
    stdin = StandardInput.here()
    recording = record(
        command, out, interval, collector, process, timing=config, keep_raw=keep_raw, quiet=quiet
    )
    (shown.warn if quiet else shown.show)(recording)
    if recording.is_beside:
        if as_json:
            print(json.dumps(shown.summary(recording)))
        leave(recording)
    done = Run(recording.folder.path, recording=recording)
    with done.folder.held("run", takes_long=check):
        analysis = _analyse(done, phase_options, point_options, quiet=quiet)
        compared, failed = None, None
        try:
            compared = _compare(done, config, stdin, quiet=quiet) if check else None
        except PhasemarkError as error:
            failed = error  # told last: phases and points are there all the same
        page = done.report() if with_report else None
    if page is not None and not quiet:
        say(f"wrote {page}")
    if not quiet:
        show_aside(points.lines(analysis))
        if compared is not None:
            comparison.show(compared)
        say(f"everything is in {done.path}")
    if as_json:
        more = {} if compared is None else {"check": comparison.summary(compared)}
        print(json.dumps({**shown.summary(recording), **analysis, **more}))
    if failed is not None:
        raise failed
    leave(recording)
    if compared is not None and compared.status:
        raise typer.Exit(compared.status)


def _analyse(
    run: Run, phase_options: PhaseOptions, point_options: PointOptions, *, quiet: bool
) -> dict[str, Any]:
    """Phases and points, written to the folder; the summary of them."""
    from phasemark.cli.printing import points
    from phasemark.cli.progress import progress

    with progress("Clustering", quiet=quiet) as tell:
        run.find_phases(phase_options, progress=tell)
    picked = run.pick_points(point_options)
    summary = points.summary(
        picked.intervals, picked.phases, picked.points, picked.notes, run.folder.analysed
    )
    return {**summary, "functions": run.hottest_functions()}


def _compare(run: Run, config: TimingConfig | None, stdin: StandardInput, *, quiet: bool) -> ComparisonResult:
    from phasemark.cli.printing import simulation
    from phasemark.cli.progress import watching

    with watching("simulating", quiet=quiet, total=lambda: run.folder.instructions) as tell:
        compared = run.check(config, stdin=stdin, progress=tell)
    for result in compared.simulations:
        simulation.warn(result)
    return compared
