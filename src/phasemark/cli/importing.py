"""Other tools' metrics into a run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phasemark.cli.printing import plural
from phasemark.errors import DataError, PhasemarkError, UsageError
from phasemark.formats.metrics.measurements import Options
from phasemark.formats.metrics.readings import Readings
from phasemark.model import Metrics, Points, Profile
from phasemark.store.folder import Folder

#: Of what the rows of metrics can be.
OF = ("run", "intervals", "points")


def import_metrics(
    folder: Folder, files: Sequence[Path], options: Options | None = None, of: str | None = None
) -> dict[str, Any]:
    """Read metrics into a run's folder; write metrics.csv, or for points point-metrics.csv.

    Args:
        folder: with profile.h5 (and points.csv, for points); metrics that say where they are need neither.
        files: of one kind, see formats.measurements.
        options: what the files do not say.
        of: one of OF; None: told from the files.

    Returns:
        A summary that JSON can hold.

    Raises:
        DataError: a malformed file, or one that does not fit the run.
        UsageError: files that do not fit together, or an option that makes no sense.
        WorkError: a file cannot be read or written.
    """
    from phasemark.formats.metrics import measurements
    from phasemark.store import metrics_csv, points_csv
    from phasemark.workflow.reading import read

    if of is not None and of not in OF:
        raise UsageError(f"metrics of {of!r}", hint=f"choose one of {', '.join(OF)}")
    readings = measurements.read(files, options)
    profile = read(folder.path) if folder.profile.exists() else None
    points = points_csv.read(folder.points) if folder.points.exists() else None
    try:
        of = of or _meant(readings, profile, points, options)
        metrics = _placed(readings, of, profile, points, folder)
    except DataError as error:
        raise _named(error, files) from error
    step, path = ("simulation", folder.point_metrics) if of == "points" else ("metrics", folder.metrics)
    folder.create().discard_from(step)
    metrics_csv.write(path, metrics, made_by={"command": "import --metrics"})
    summary = {
        "of": of or "a run of its own",
        "rows": len(metrics),
        "file": path.name,
        "source": metrics.source,
        "counters": list(metrics.counters),
        "units": dict(metrics.units),
        "ratios": list(metrics.with_instructions().ratios()),
        "files": [file.name for file in files],
        "notes": [
            *readings.notes,
            *_left_out(len(readings) - len(metrics)),
            *_notes(metrics, of, profile, points),
        ],
    }
    folder.record(step, {name: summary[name] for name in ("of", "rows", "source", "files", "notes")})
    return summary


def lines(summary: dict[str, Any]) -> list[str]:
    """The summary as text."""
    shown = ", ".join(summary["ratios"]) or "no ratio that is known"
    of = "the whole run" if summary["of"] == "run" else summary["of"]
    return [
        f"{plural(summary['rows'], 'row')} of {plural(len(summary['counters']), 'counter')} by "
        f"{summary['source']}, of {of}: {summary['file']}",
        f"ratios: {shown}",
        *(f"note: {note}" for note in summary["notes"]),
    ]


def _meant(
    readings: Readings, profile: Profile | None, points: Points | None, options: Options | None
) -> str | None:
    """Of what the rows are; None: of a run without a profile."""
    if {"start", "length"} <= readings.keys.keys() and profile is None:
        return None
    if "phase" in readings.keys:
        return "points"
    if "interval" in readings.keys:
        return "points" if _all_points(readings, profile, points) else "intervals"
    if options is not None and options.every:
        return "intervals"
    return "points" if len(readings) > 1 and "start" not in readings.keys else "run"


def _all_points(readings: Readings, profile: Profile | None, points: Points | None) -> bool:
    if points is None or (profile is not None and len(readings) == len(profile.interval_table)):
        return False
    return set(readings.keys["interval"].tolist()) <= set(points.interval.tolist())


def _placed(
    readings: Readings, of: str | None, profile: Profile | None, points: Points | None, folder: Folder
) -> Metrics:
    from phasemark.formats.metrics import placing

    if of is None:
        return placing.on_its_own(readings)
    if of == "points":
        if points is None:
            raise DataError("there is no such file", path=folder.points, hint="run `phasemark points` first")
        return placing.of_points(readings, points)
    if profile is None:
        raise DataError(
            "there is no such file",
            path=folder.profile,
            hint="import the run's vectors, or profile it, first",
        )
    if "start" in readings.keys and "interval" not in readings.keys:
        raise UsageError(
            "their intervals are of time, not those of the profile in this folder",
            hint="import them into a folder of their own",
        )
    if of == "run":
        return placing.of_run(
            readings, int(profile.provenance.details.get("instructions") or profile.instructions)
        )
    return placing.of_intervals(readings, profile.interval_table)


def _left_out(rows: int) -> list[str]:
    return ["the last row is of no interval of the profile, and left out"] if rows else []


def _notes(metrics: Metrics, of: str | None, profile: Profile | None, points: Points | None) -> list[str]:
    out = []
    if of == "points" and points is not None and len(metrics) < len(points):
        rows = metrics.rows(points.run, points.thread, points.interval)
        gone = ", ".join(map(str, points.interval[rows < 0].tolist()[:5]))
        out.append(f"{len(points) - len(metrics)} of {len(points)} points are missing: interval {gone}")
    if of == "intervals" and profile is not None and len(metrics) < len(profile.interval_table):
        out.append(f"{len(profile.interval_table) - len(metrics)} intervals of the profile have no metrics")
    for name, values in metrics.counters.items():
        if name in ("instructions", "cycles") and (empty := int(np.isnan(values).sum())):
            out.append(f"{name} is missing in {empty} of {len(metrics)} rows")
    return out


def _named(error: DataError, files: Sequence[Path]) -> PhasemarkError:
    """The error, said of the file where there is but one."""
    return error.at(files[0]) if error.path is None and len(files) == 1 else error
