"""phasemark import: other tools' vectors become a run's folder, their metrics join it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phasemark.cli import options

if TYPE_CHECKING:
    from phasemark.workflow import VectorResult


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Vectors or samples, plain or gzip; `-`: standard input. Or metrics."
        ),
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", help="The run's folder to write.")],
    instructions: Annotated[
        int | None,
        typer.Option(
            parser=options.at_least(0),
            metavar="N",
            help="Instructions that the program ran, to report what is missing.",
        ),
    ] = None,
    stats: Annotated[
        Path | None, typer.Option(help="Take them from gem5's stats.txt, plain or gzip.")
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(
            help="Instructions per interval: 100k, 5M, 1000000 [told from the files]; of samples auto."
        ),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="drpoints, exp-bbv, gem5, nemu, perf, pinpoints, qemu, qpoints, simpoint [told by content]."
        ),
    ] = None,
    as_runs: Annotated[
        bool, typer.Option("--as-runs", help="The files are runs of one program, not threads of one run.")
    ] = False,
    same_ids: Annotated[
        bool,
        typer.Option(
            "--same-ids", help="With --as-runs: all runs number their blocks alike, though no file shows it."
        ),
    ] = False,
    signature: Annotated[
        str | None,
        typer.Option(help="Of samples: what is counted: block, loop, function or address [block]."),
    ] = None,
    event: Annotated[
        str | None,
        typer.Option(help="Of samples: the event that measures time [instructions, else a clock]."),
    ] = None,
    process: Annotated[
        str | None, typer.Option(help="Of samples: the processes of this pid or name alone [all].")
    ] = None,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics", help="The files are metrics: gem5's stats.txt, perf stat, ChampSim or CSV."
        ),
    ] = False,
    of: Annotated[
        str | None,
        typer.Option(help="With --metrics: of the run, the intervals or the points [told from the files]."),
    ] = None,
    dump: Annotated[
        int | None,
        typer.Option(
            parser=options.at_least(0),
            metavar="N",
            help="With --metrics: which dump of gem5's stats, from 0 [the last].",
        ),
    ] = None,
    each_dump: Annotated[
        bool, typer.Option("--each-dump", help="With --metrics: every dump of gem5's stats is an interval.")
    ] = False,
    unscaled: Annotated[
        bool, typer.Option("--unscaled", help="With --metrics: perf was told --no-scale.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
) -> None:
    """Read other tools' vectors or samples, or with --metrics their metrics, into a run's folder.

    Samples are those of perf: a perf.data, or what `perf script` prints. Vectors and samples become
    profile.h5: go on with `phasemark phases` and `points`. Metrics become metrics.csv, or those of points
    point-metrics.csv: go on with `phasemark quality` and `estimate`.
    """
    from phasemark.cli.printing import emit, imported, tell_discarded
    from phasemark.cli.progress import progress
    from phasemark.collect import interval_length
    from phasemark.errors import UsageError
    from phasemark.formats.metrics.measurements import Options
    from phasemark.store.folder import Folder
    from phasemark.workflow import Run
    from phasemark.workflow.importing import import_vectors
    from phasemark.workflow.samples import are_samples, import_samples, only

    if metrics:
        joined = Run(out).import_metrics(files, Options(dump, each_dump, unscaled), of)
        tell_discarded(joined.discarded, "these metrics")
        emit(
            lambda: imported.metrics_summary(joined),
            lambda: imported.metrics_lines(joined),
            quiet=quiet,
            as_json=as_json,
        )
        return
    if of is not None or dump is not None or each_dump or unscaled:
        raise UsageError("--of, --dump, --each-dump and --unscaled are of metrics", hint="add --metrics")
    if signature is not None or event is not None or process is not None or are_samples(files, dialect):
        path = only(files, instructions=instructions, stats=stats, as_runs=as_runs, same_ids=same_ids)
        with progress("Reading", quiet=quiet or as_json) as tell:
            result = import_samples(
                Folder(out),
                path,
                interval=None if interval is None else interval_length.parse(interval),
                signature=signature,
                event=event,
                process=process,
                progress=tell,
            )
        _show(result, quiet=quiet, as_json=as_json)
        return
    with progress("Reading", quiet=quiet or as_json) as tell:
        result = import_vectors(
            files,
            out,
            as_runs=as_runs,
            same_ids=same_ids,
            dialect=dialect,
            interval=None if interval is None else options.length(interval),
            instructions=instructions,
            stats=stats,
            progress=tell,
        )
    _show(result, quiet=quiet, as_json=as_json)


def _show(result: VectorResult, *, quiet: bool, as_json: bool) -> None:
    from phasemark.cli.printing import emit, imported, tell_discarded

    tell_discarded(result.discarded, "this profile")
    emit(
        lambda: imported.vector_summary(result),
        lambda: imported.vector_lines(result),
        quiet=quiet,
        as_json=as_json,
    )
