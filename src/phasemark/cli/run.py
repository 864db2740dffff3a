"""phasemark run: profile, phases, points and report, in one go."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import collecting, comparing, options, simulating
from phasemark.workflow.standard_input import StandardInput

if TYPE_CHECKING:
    from phasemark.cli.steps import PhaseOptions
    from phasemark.collect import Recording
    from phasemark.estimates import PointOptions
    from phasemark.store.folder import Folder


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=collecting.CONTEXT)(run)


def run(
    command: collecting.Command,
    *,
    out: collecting.Out = None,
    interval: collecting.Interval = "auto",
    collector: collecting.CollectorName = "valgrind",
    process: collecting.Process = None,
    keep_raw: collecting.KeepRaw = False,
    max_k: options.MaxK = 30,
    k: options.K = None,
    seed: options.Seed = 1,
    dims: options.Dims = 15,
    search: options.Search = "all",
    threshold: options.Threshold = 0.9,
    select: options.Select = "bic-threshold",
    coverage: options.Coverage = "100%",
    timing: simulating.Timing = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Simulate the points and the whole run, and compare what they say."),
    ] = False,
    with_report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html.")] = True,
    quiet: collecting.Quiet = False,
    as_json: collecting.Json = False,
) -> None:
    """Profile a program, find its phases and points, write a report.

    For example: phasemark run -o out --interval 1M -- gzip -9 -k -f some-file

    Does what `phasemark profile`, `phases`, `points` and `report` do one after the other. Exits as
    `phasemark profile` does. With --check, the program runs twice more: for its points, and for the
    whole run, unless --timing had that simulated with the profile.
    """
    from phasemark.cli.steps import PhaseOptions
    from phasemark.estimates import PointOptions

    phase_options = PhaseOptions(
        max_k=max_k,
        k=k,
        search=options.search(search),
        threshold=threshold,
        dims=dims,
        seed=seed,
        select=select,
    )
    point_options = PointOptions(coverage=options.share(coverage))
    # Now, not after the program has run for hours.
    phase_options.check()
    point_options.check()
    config = simulating.machine(timing)
    standard_input = StandardInput.here()
    collected = collecting.collect(
        command, out, interval, collector, process, keep_raw=keep_raw, quiet=quiet, timing=config
    )
    simulating.keep_metrics(collected, config)
    if quiet:
        collecting.warn(collected)
    else:
        collecting.show(collected)
    found = _analyse(collected, phase_options, point_options, quiet=quiet)
    compared = comparing.compare(collected, config, standard_input, quiet=quiet) if check else None
    if with_report:
        _report(collected.folder, quiet=quiet)
    if not quiet:
        _show(found)
        if compared is not None:
            comparing.show(compared)
        collecting.say(f"everything is in {collected.folder.path}")
    if as_json:
        said = {} if compared is None else {"check": comparing.summary(compared)}
        print(json.dumps({**collecting.summary(collected), **found, **said}))
    collecting.leave(collected)
    if compared is not None and compared.status:
        raise typer.Exit(compared.status)


def _analyse(
    collected: Recording, phase_options: PhaseOptions, point_options: PointOptions, *, quiet: bool
) -> dict[str, Any]:
    """Phases and points, written to the folder; the summary of them."""
    from phasemark.cli import steps
    from phasemark.cli.progress import progress
    from phasemark.views.functions import hottest_functions

    with progress("Clustering", quiet=quiet) as report:
        steps.find_phases(collected.folder, phase_options, report)
    intervals, phases, points = steps.pick_points(collected.folder, point_options)
    functions = hottest_functions(collected.profile, phases)
    return {**steps.summary(intervals, phases, points), "functions": functions}


def _report(folder: Folder, *, quiet: bool) -> None:
    from phasemark.report import write

    path = write(folder.path)
    if not quiet:
        collecting.say(f"wrote {path}")


def _show(found: dict[str, Any]) -> None:
    from phasemark.cli import printing

    print("\n".join(printing.lines(found)), file=sys.stderr)
