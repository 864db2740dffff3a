"""phasemark import: other tools' vectors become a run's folder, their metrics join it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from phasemark.model import Profile


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Vectors, plain or gzip; `-`: standard input. Or metrics."),
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", help="The run's folder to write.")],
    instructions: Annotated[
        int | None, typer.Option(min=0, help="Instructions that the program ran, to report what is missing.")
    ] = None,
    stats: Annotated[
        Path | None, typer.Option(help="Take them from gem5's stats.txt, plain or gzip.")
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(help="Instructions per interval: 100k, 5M, 1000000 [told from the files]."),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="drpoints, exp-bbv, gem5, nemu, pinpoints, qemu, qpoints or simpoint [told from the files]."
        ),
    ] = None,
    as_runs: Annotated[
        bool, typer.Option("--as-runs", help="The files are runs of one program, not threads of one run.")
    ] = False,
    metrics: Annotated[
        bool,
        typer.Option("--metrics", help="The files are metrics: gem5's stats.txt, perf stat -I -x, or CSV."),
    ] = False,
    of: Annotated[
        str | None,
        typer.Option(help="With --metrics: of the run, the intervals or the points [told from the files]."),
    ] = None,
    dump: Annotated[
        int | None, typer.Option(min=0, help="With --metrics: which dump of gem5's stats, from 0 [the last].")
    ] = None,
    each_dump: Annotated[
        bool, typer.Option("--each-dump", help="With --metrics: every dump of gem5's stats is an interval.")
    ] = False,
    unscaled: Annotated[
        bool, typer.Option("--unscaled", help="With --metrics: perf was told --no-scale.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")] = False,
) -> None:
    """Read other tools' basic block vectors, or with --metrics their metrics, into a run's folder.

    Vectors become profile.h5: go on with `phasemark phases` and `points`. Metrics become metrics.csv, or
    those of points point-metrics.csv: go on with `phasemark quality` and `estimate`.
    """
    from phasemark.cli.progress import progress
    from phasemark.errors import UsageError
    from phasemark.formats.metrics import gem5_stats
    from phasemark.formats.vectors import profiles
    from phasemark.store import profile_h5
    from phasemark.store.folder import Folder

    if metrics:
        _import_metrics(files, out, (of, dump, each_dump, unscaled), quiet, as_json)
        return
    if of is not None or dump is not None or each_dump or unscaled:
        raise UsageError("--of, --dump, --each-dump and --unscaled are of metrics", hint="add --metrics")
    if stats is not None and instructions is not None:
        raise UsageError("--instructions and --stats both say how many ran", hint="give one of them")
    if stats is not None:
        instructions = gem5_stats.instructions(stats)
    with progress("Reading", quiet=quiet or as_json) as report:
        profile = profiles.read(
            files,
            as_runs=as_runs,
            dialect=dialect,
            interval=None if interval is None else _length(interval),
            instructions=instructions,
            progress=report,
        )
    folder = Folder(out).create()
    folder.discard_from("profile")
    profile_h5.write(folder.profile, profile)
    summary = _summary(profile)
    folder.record("profile", {"command": "import", **summary})
    _show(summary, quiet, as_json)


def _length(text: str) -> int:
    from phasemark.collect import interval_length
    from phasemark.errors import UsageError

    length = interval_length.parse(text)
    if length == "auto":
        raise UsageError(
            "--interval auto is for recording", hint="give the length that was asked for, or leave it out"
        )
    return length


def _import_metrics(
    files: list[Path], out: Path, said: tuple[str | None, int | None, bool, bool], quiet: bool, as_json: bool
) -> None:
    import json

    from phasemark.cli import importing
    from phasemark.formats.metrics.measurements import Options
    from phasemark.store.folder import Folder

    of, dump, every, unscaled = said
    summary = importing.import_metrics(Folder(out), files, Options(dump, every, unscaled), of)
    if as_json:
        print(json.dumps(summary))
    elif not quiet:
        print("\n".join(importing.lines(summary)))


def _summary(profile: Profile) -> dict[str, object]:
    provenance = profile.provenance
    return {
        "tool": provenance.tool,
        "files": provenance.details["files"],
        "instructions": profile.instructions,
        "intervals": len(profile.interval_table),
        "threads": int(profile.interval_table.first_of_thread().sum()),
        "blocks": len(profile.block_table),
        "interval": provenance.interval,
        "missing_instructions": provenance.details["missing_instructions"],
        "warnings": list(provenance.warnings),
    }


def _show(summary: dict[str, object], quiet: bool, as_json: bool) -> None:
    import json

    if as_json:
        print(json.dumps(summary))
    elif not quiet:
        said = "{instructions:,} instructions, {intervals:,} intervals, {blocks:,} blocks, recorded by {tool}"
        print(said.format_map(summary))
        for warning in summary["warnings"]:  # type: ignore[attr-defined]
            print(f"note: {warning}")
