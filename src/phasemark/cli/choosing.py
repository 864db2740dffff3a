"""TEMP"""

from __future__ import annotations

from phasemark.errors import DataError
from phasemark.estimates.choice import PointOptions
from phasemark.model import Intervals, Metrics, Points
from phasemark.store.folder import Folder


def measured(folder: Folder, intervals: Intervals) -> Metrics | None:
    """What was measured of a run's intervals so far: its points, else the whole run.

    Raises:
        DataError: the file is damaged, or of another run.
    """
    from phasemark.quality.measured import rows_of
    from phasemark.store import metrics_csv

    for path in (folder.point_metrics, folder.metrics):
        if path.exists():
            metrics = metrics_csv.read(path)
            if len(metrics) == 1 and metrics.length[0] >= intervals.length.sum() > intervals.length[0]:
                continue  # the whole run in one says nothing of its intervals
            try:
                rows_of(metrics, intervals)
            except DataError as error:
                raise error.at(path) from error
            return metrics
    return None


def chosen_before(folder: Folder, options: PointOptions) -> Points | None:
    """The points of an earlier choice that the same method and seed continue.

    Raises:
        DataError: the file is damaged.
    """
    from phasemark.store import points_csv

    if options.target_error is None or not folder.points.exists():
        return None
    asked = folder.steps().get("points", {}) if folder["run.json"].exists() else {}
    before = points_csv.read(folder.points)
    same = before.method == options.chosen_method == "stratified" and asked.get("seed") == options.seed
    return before if same else None
