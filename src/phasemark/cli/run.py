"""phasemark run: profile, phases, points and report, in one go."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phasemark.cli import collecting

if TYPE_CHECKING:
    from phasemark.cli.steps import PhaseOptions
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
    max_k: Annotated[int, typer.Option(help="Largest number of phases to try.")] = 30,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Exactly so many phases.")] = None,
    seed: Annotated[int, typer.Option(help="Of the projection and of k-means.")] = 1,
    dims: Annotated[int, typer.Option(help="Dimensions to project to.")] = 15,
    search: Annotated[str, typer.Option(help="all, binary, or a step: which k to try.")] = "all",
    threshold: Annotated[
        float, typer.Option(help="Part of the score's range that the k taken must reach.")
    ] = 0.9,
    coverage: Annotated[float, typer.Option(help="Keep the largest phases that make up this share.")] = 1.0,
    with_report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html.")] = True,
    quiet: collecting.Quiet = False,
    as_json: collecting.Json = False,
) -> None:
    """Profile a program, find its phases, pick its simulation points and write a report.

    Like `phasemark profile`, then `phases`, `points` and `report`. Exits as `phasemark profile` does.
    """
    from phasemark.cli.steps import PhaseOptions

    options = PhaseOptions(
        max_k=max_k,
        k=k,
        search=int(search) if search.isdecimal() else search,
        threshold=threshold,
        dims=dims,
        seed=seed,
    )
    _rehearse(options, coverage)
    collected = collecting.collect(command, out, interval, collector, process, keep_raw=keep_raw, quiet=quiet)
    if quiet:
        collecting.warn(collected)
    else:
        collecting.show(collected)
    found = _analyse(collected.folder, options, coverage, quiet=quiet)
    if with_report:
        _report(collected.folder, quiet=quiet)
    if not quiet:
        _show(found)
        collecting.say(f"everything is in {collected.folder.path}")
    if as_json:
        print(json.dumps({**collecting.summary(collected), **found}))
    collecting.leave(collected)


def _rehearse(options: PhaseOptions, coverage: float) -> None:
    """See that the steps take their options, before the program runs for hours.

    Raises:
        UsageError: one makes no sense.
    """
    import numpy as np

    from phasemark import points, signatures
    from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance

    blocks = Blocks(
        ("",), np.zeros(1, np.int32), np.ones(1, np.uint64), np.ones(1, np.int64), np.ones(1, np.int64)
    )
    intervals = Intervals.of_thread(np.array([1, 1]))
    counts = Counts(np.arange(3), np.zeros(2, np.int32), np.ones(2, np.int64), 1)
    projected = signatures.project(
        Profile(blocks, intervals, counts, Provenance("")), options.dims, options.seed
    )
    points.nearest(intervals, options.model().fit(projected).phases(), coverage=coverage)


def _analyse(folder: Folder, options: PhaseOptions, coverage: float, *, quiet: bool) -> dict[str, Any]:
    """Phases and points, written to the folder; the summary of them."""
    from phasemark.cli import steps
    from phasemark.cli.hottest import hottest_functions
    from phasemark.cli.progress import progress

    with progress("Clustering", quiet=quiet) as report:
        steps.find_phases(folder, options, report)
    profile, phases, points = steps.pick_points(folder, steps.PointOptions(coverage=coverage))
    functions = hottest_functions(profile, phases)
    return {**steps.summary(profile, phases, points), "functions": functions}


def _report(folder: Folder, *, quiet: bool) -> None:
    from phasemark.report import write

    path = write(folder.path)
    if not quiet:
        collecting.say(f"wrote {path}")


def _show(found: dict[str, Any]) -> None:
    from phasemark.cli import printing

    print("\n".join(printing.lines(found)), file=sys.stderr)
