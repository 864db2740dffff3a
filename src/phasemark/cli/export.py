"""phasemark export: points and vectors for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from phasemark.formats.points.exports import Exportable
    from phasemark.model import Phases, Points
    from phasemark.store.folder import Folder


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")],
    *,
    to: Annotated[
        str,
        typer.Option("--to", help="simpoint, gem5, pinpoints, nemu, champsim; vectors: bb, exp-bbv."),
    ],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Folder to write to [DIR/TARGET].")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the workload [the folder's].")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the files as one JSON object.")] = False,
) -> None:
    """Write the points or vectors of a run as another tool reads them."""
    import json

    from phasemark.errors import UsageError
    from phasemark.formats.points import exports
    from phasemark.store.folder import Folder

    if to not in exports.TARGETS:
        raise UsageError(f"phasemark does not export to {to!r}", hint=f"one of: {', '.join(exports.TARGETS)}")
    run = _run(Folder(source), name or source.resolve().name)
    folder = Folder(out or source / to).create()
    exported = exports.export(run, to, folder.path)
    if as_json:
        print(json.dumps({"files": [str(file) for file in exported.files], "notes": list(exported.notes)}))
    elif not quiet:
        for file in exported.files:
            print(file)
        for note in exported.notes:
            print(f"note: {note}")


def _run(folder: Folder, name: str) -> Exportable:
    from phasemark import points
    from phasemark.formats.points.exports import Exportable
    from phasemark.store import phases_store, points_csv
    from phasemark.workflow.reading import read

    profile = read(folder.path)
    picked = points_csv.read(folder.points) if folder.points.exists() else None
    found = phases_store.read_model(folder.model)[1] if folder.model.exists() else None
    asked = _asked(folder)
    everything = None
    if picked is not None and found is not None and _is_simpoints_with_coverage(picked, found):
        everything = points.nearest(
            profile.interval_table, found, early=asked.get("early", False), warmup=asked.get("warmup", 0)
        )
    return Exportable(name, profile, picked, found, everything, float(asked.get("coverage", 1.0)))


def _is_simpoints_with_coverage(picked: Points, found: Phases) -> bool:
    """One nearest point of each phase, small phases left out: SimPoint then writes a second pair of files."""
    return picked.method == "nearest" and len(picked) == len(set(picked.phase.tolist())) < found.k


def _asked(folder: Folder) -> dict[str, Any]:
    recorded = folder.steps() if folder["run.json"].exists() else {}
    return dict(recorded.get("points", {}))
