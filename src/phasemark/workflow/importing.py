"""Other tools' vectors and metrics -> a run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phasemark.errors import DataError, PhasemarkError, UsageError, counted, shown
from phasemark.formats import recogniser
from phasemark.formats.metrics import gem5_stats, measurements, placing
from phasemark.formats.metrics.measurements import Options
from phasemark.formats.metrics.readings import Readings
from phasemark.formats.vectors import profiles
from phasemark.formats.vectors.lengths import slack
from phasemark.model import Metrics, Points, Profile
from phasemark.progress import Progress
from phasemark.store import metrics_csv, points_csv, profile_h5, tables
from phasemark.store.folder import Folder
from phasemark.store.missing import RECORD, no_file
from phasemark.store.names import usable
from phasemark.workflow.alone import alone
from phasemark.workflow.imported import VectorResult, described
from phasemark.workflow.reading import read
from phasemark.workflow.replaceable import require_not_recorded
from phasemark.workflow.result import Result, is_back

#: Of what the rows of metrics can be.
OF = ("run", "intervals", "points")


@dataclass(frozen=True, repr=False)
class MetricsResult(Result):
    """Metrics of another tool that joined a run.

    Attributes:
        path: the file that was written.
        of: of what the rows are: one of OF, or `a run of its own`.
        metrics: as they were written.
        files: that were read.
        notes: what the user should know, one sentence each.
        discarded: what became of files that were made from earlier metrics, one phrase each.
    """

    path: Path
    of: str
    metrics: Metrics
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


def import_vectors(
    files: Sequence[str | Path],
    out: str | Path,
    *,
    as_runs: bool = False,
    same_ids: bool = False,
    dialect: str | None = None,
    interval: int | None = None,
    instructions: int | None = None,
    stats: str | Path | None = None,
    progress: Progress | None = None,
) -> VectorResult:
    """Read other tools' basic block vectors into a run's folder; write profile.h5.

    Args:
        files: see formats.vectors.profiles.read.
        out: the run's folder; what it holds of another profile goes.
        as_runs, same_ids, dialect, interval, instructions, progress: see formats.vectors.profiles.read.
        stats: gem5's stats.txt, which tells how many instructions the program ran.

    Raises:
        DataError: a malformed file, one without an interval, or files of unlike blocks.
        UsageError: files or options that do not belong together, fewer `instructions` than the vectors hold,
            or the folder holds the recorded run of a program, which would be lost.
        WorkError: the folder cannot be written.
    """
    if same_ids and not as_runs:
        raise UsageError("same_ids says something of runs", hint="add as_runs (--as-runs)")
    if stats is not None and instructions is not None:
        raise UsageError("instructions and stats both say how many ran", hint="give one of them")
    if stats is not None:
        instructions = gem5_stats.instructions(stats)
    options = {
        "as_runs": as_runs,
        "same_ids": same_ids,
        "dialect": dialect,
        "interval": interval,
        "instructions": instructions,
    }
    return _import_vectors(Folder(out), tuple(map(usable, files)), options, progress)


@alone("import")
def _import_vectors(
    folder: Folder, paths: tuple[Path, ...], options: dict[str, Any], progress: Progress | None
) -> VectorResult:
    require_not_recorded(folder)
    profile = profiles.read(paths, **options, progress=progress)
    with folder.create().change("import") as new:
        new.discard_from("profile")
        profile_h5.write(new.profile, profile)
        new.record("profile", {"command": "import", **described(profile)})
    return VectorResult(folder, profile, paths, tuple(new.discarded))


@alone("import --metrics")
def import_metrics(
    folder: Folder, files: Sequence[str | Path], options: Options | None = None, of: str | None = None
) -> MetricsResult:
    """Read metrics into a run's folder; write metrics.csv, or for points point-metrics.csv.

    Args:
        folder: with profile.h5 (and points.csv, for points); metrics that say where they are need neither.
        files: of one kind, see formats.metrics.measurements.
        options: what the files do not say.
        of: one of OF; None: told from the files.

    Raises:
        DataError: a malformed file, or one that does not fit the run.
        UsageError: files that do not fit together, or an option that makes no sense.
        WorkError: a file cannot be read or written.
    """
    if of is not None and of not in OF:
        raise UsageError(f"metrics of {shown(of)}", hint=f"choose one of {', '.join(OF)}")
    paths = tuple(map(Path, files))
    readings = measurements.read(paths, options)
    profile = read(folder.path) if folder.profile.exists() else None
    points = points_csv.read(folder.points) if folder.points.exists() else None
    try:
        of = of or _told(paths) or _meant(readings, profile, points, options)
        metrics = _placed(readings, of, profile, points, folder)
    except DataError as error:
        raise _named(error, paths) from error
    step, path = ("simulation", folder.point_metrics) if of == "points" else ("metrics", folder.metrics)
    notes = [
        *readings.notes,
        *_left_out(len(readings) - len(metrics)),
        *_notes(metrics, of, profile, points),
    ]
    whose = of or "a run of its own"
    entry = {"of": whose, "rows": len(metrics), "source": metrics.source}
    with folder.create().change("import --metrics") as new:
        new.discard_from(step)
        metrics_csv.write(new[path.name], metrics, made_by={"command": "import --metrics", "of": whose})
        new.record(step, {**entry, "files": [file.name for file in paths], "notes": notes})
        if _are_back(paths, path, folder, metrics):
            new.bring_back(paths[0].name)
            notes.append(is_back(paths[0]))
    return MetricsResult(path, whose, metrics, paths, tuple(notes), tuple(new.discarded))


def _told(paths: Sequence[Path]) -> str | None:
    """`points`, where that is what a table of phasemark's says of itself, or its name does."""
    first = paths[0]
    if measurements.recognise(first) is not recogniser.METRICS:
        return None
    told = tables.comment(first)
    of_points = told.get("of") == "points" or told.get("command") == "simulate"
    return "points" if of_points or first.name.startswith("point-metrics.csv") else None


def _are_back(paths: Sequence[Path], path: Path, folder: Folder, metrics: Metrics) -> bool:
    """Whether what was imported is what was set aside in this folder, and all of it."""
    return (
        len(paths) == 1
        and folder.name_before(paths[0]) == path.name
        and measurements.recognise(paths[0]) is recogniser.METRICS
        and metrics_csv.holds(paths[0], metrics)
    )


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
    if "start" in readings.keys or (options is not None and options.every):
        return "intervals"
    return "points" if len(readings) > 1 or _is_only_point(readings, points) else "run"


def _is_only_point(readings: Readings, points: Points | None) -> bool:
    """Whether one row counts the instructions of the only point, and not those of a run."""
    counted = readings.counters.get("instructions")
    if points is None or len(points) != 1 or counted is None:
        return False
    length = points.instructions
    return abs(float(counted[0]) - length) <= slack(length)


def _all_points(readings: Readings, profile: Profile | None, points: Points | None) -> bool:
    if points is None or (profile is not None and len(readings) == len(profile.interval_table)):
        return False
    return set(readings.keys["interval"].tolist()) <= set(points.interval.tolist())


def _placed(
    readings: Readings, of: str | None, profile: Profile | None, points: Points | None, folder: Folder
) -> Metrics:
    if of is None:
        return placing.on_its_own(readings)
    if of == "points":
        if points is None:
            raise no_file(folder.points, "run `phasemark points DIR` first")
        return placing.of_points(readings, points)
    if profile is None and of == "run" and points is not None:
        return placing.of_run(readings, 0)
    if profile is None:
        raise no_file(folder.profile, RECORD)
    if of == "run":
        return placing.of_run(
            readings, int(profile.provenance.details.get("instructions") or profile.instructions)
        )
    if "start" in readings.keys and "interval" not in readings.keys:
        raise UsageError(
            "their intervals are of time, not those of the profile in this folder",
            hint="add them up to the whole run with --of run, or import them into a folder of their own",
        )
    return placing.of_intervals(readings, profile.interval_table)


def _left_out(rows: int) -> list[str]:
    return ["the last row is of no interval of the profile, and left out"] if rows else []


def _notes(metrics: Metrics, of: str | None, profile: Profile | None, points: Points | None) -> list[str]:
    out = []
    if of == "points" and points is not None and len(metrics) < len(points):
        rows = metrics.rows(points.run, points.thread, points.interval)
        numbers = points.interval[rows < 0].tolist()
        gone = ", ".join(f"{index:,}" for index in numbers[:5]) + (" ..." if len(numbers) > 5 else "")
        missing = len(points) - len(metrics)
        verb = "is" if missing == 1 else "are"
        out.append(f"{missing:,} of {counted(len(points), 'point')} {verb} missing: interval {gone}")
    if of == "intervals" and profile is not None and len(metrics) < len(profile.interval_table):
        lacking = len(profile.interval_table) - len(metrics)
        verb = "has" if lacking == 1 else "have"
        out.append(f"{counted(lacking, 'interval')} of the profile {verb} no metrics")
    for name, values in metrics.counters.items():
        if name in ("instructions", "cycles") and (empty := int(np.isnan(values).sum())):
            out.append(f"{name} is missing in {empty} of {counted(len(metrics), 'row')}")
    return out


def _named(error: DataError, files: Sequence[Path]) -> PhasemarkError:
    """The error, said of the file where there is but one."""
    return error.at(files[0]) if error.path is None and len(files) == 1 else error
