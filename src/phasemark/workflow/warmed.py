"""What was measured at points, and again at some of them with a longer warm-up, read from files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasemark.errors import DataError, UsageError
from phasemark.formats import recogniser
from phasemark.formats.metrics import measurements, placing
from phasemark.model import Metrics, Points
from phasemark.points.warmup import subset
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder
from phasemark.workflow.machines import machine_of, unlike


@dataclass(frozen=True)
class Measured:
    """Metrics of points, and the file that they are from."""

    path: Path
    metrics: Metrics


@dataclass(frozen=True)
class Warmed:
    """Metrics of points with a longer warm-up; None: there are none, or they are another machine's."""

    metrics: Metrics | None = None
    notes: tuple[str, ...] = ()


def results_of(paths: Sequence[Path], points: Points) -> Metrics:
    """Metrics in phasemark's own table, or results of the points in any known form.

    Raises:
        DataError: they are malformed, or of no point.
        UsageError: rows that name nothing, and not as many as points.
    """
    first = paths[0]
    if len(paths) == 1 and measurements.recognise(first) is recogniser.METRICS:
        return metrics_csv.read(first)
    readings = measurements.read(paths)
    try:
        return placing.of_points(readings, points)
    except DataError as error:
        raise error.at(first) from error


def warmed_of(
    folder: Folder, points: Points, measured: Measured, paths: Sequence[Path] = (), *, given: bool = False
) -> Warmed:
    """What was measured of the points whose warm-up is checked, with the longer one.

    Args:
        folder: of the run.
        points: of the run.
        measured: at the points.
        paths: results, of any simulator; none: warmup-metrics.csv, where it is there.
        given: the points' metrics are not the folder's, so that its warmup-metrics.csv is not of them.

    Raises:
        DataError: a file is malformed, or of other intervals than those that are checked.
        UsageError: no point's warm-up is to be checked, or as `results_of`.
    """
    if not paths and (given or not folder.warmup_metrics.exists()):
        return Warmed()
    rows = np.zeros(0, np.int64) if points.check is None else np.flatnonzero(points.check)
    if not len(rows):
        raise UsageError(
            "there are results of a longer warm-up, and no point's warm-up is to be checked",
            hint="phasemark points DIR --warmup-check 6 says which points to simulate again",
        )
    path = paths[0] if paths else folder.warmup_metrics
    metrics = results_of(paths or [path], subset(points, rows, points.warmup[rows]))
    if not len(metrics):
        raise DataError(
            "no point was measured with the longer warm-up",
            path=path,
            hint="simulate those again that are checked: phasemark simulate DIR --warmup-check",
        )
    checked, at = subset(points, rows, points.warmup[rows]), metrics.rows
    if (at(checked.run, checked.thread, checked.interval) >= 0).sum() < len(metrics):
        raise DataError(
            "has a row of a point whose warm-up is not checked",
            path=path,
            hint="simulate the points with a number above 0 in the column check of points.csv",
        )
    ours, theirs = (machine_of(folder, *one) for one in ((measured.path, measured.metrics), (path, metrics)))
    if unlike(ours, theirs):
        return Warmed(None, (f"the warm-up is not checked: {ours.told()}, {theirs.told()}",))
    return Warmed(metrics)
