"""Other tools' files <-> the model.

    profile = formats.read_vectors(["bb.out.77", "bb.out.77.2"])     # any dialect, told by content
    readings = formats.read_metrics(["stats.txt.gz"])                # gem5, perf stat, CSV
    metrics = formats.metrics_of_run(readings, profile.instructions)
    formats.export(formats.Exportable("bench", profile, points), "gem5", folder)
    chosen = formats.read_points(["simpoints", "weights"])           # SimPoint, PinPoints, XiangShan ...
    placed = formats.points_on_intervals(chosen, profile.interval_table)

`vectors`, `points` and `metrics` hold a module for each format; `recogniser` tells what a file is. What needs
NumPy is loaded when it is first named. See docs/formats.md, docs/import.md and docs/export.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.formats import metrics, points, recogniser, vectors
    from phasemark.formats.metrics.measurements import read_metrics
    from phasemark.formats.metrics.placing import (
        of_intervals as metrics_of_intervals,
    )
    from phasemark.formats.metrics.placing import (
        of_points as metrics_of_points,
    )
    from phasemark.formats.metrics.placing import (
        of_run as metrics_of_run,
    )
    from phasemark.formats.metrics.readings import Readings
    from phasemark.formats.points.chosen import Chosen, ChosenPoint
    from phasemark.formats.points.exports import TARGETS, Exportable, Exported, export
    from phasemark.formats.points.placing import Placed
    from phasemark.formats.points.placing import alone as points_alone
    from phasemark.formats.points.placing import on_intervals as points_on_intervals
    from phasemark.formats.points.protocol import PointsFormat
    from phasemark.formats.points.reading import FORMATS as POINT_FORMATS
    from phasemark.formats.points.reading import read as read_points
    from phasemark.formats.points.simpoint_files import SimpointPair, read_labels
    from phasemark.formats.points.simpoint_files import read_pair as read_simpoint
    from phasemark.formats.points.simpoint_files import write as write_simpoint
    from phasemark.formats.recogniser import KINDS, Kind, recognise
    from phasemark.formats.vectors.dialect import Dialect
    from phasemark.formats.vectors.profiles import read as read_vectors
    from phasemark.formats.vectors.registry import DIALECTS
    from phasemark.formats.vectors.runs import ProjectedRun, read_projected

__all__ = [
    "DIALECTS",
    "KINDS",
    "POINT_FORMATS",
    "TARGETS",
    "Chosen",
    "ChosenPoint",
    "Dialect",
    "Exportable",
    "Exported",
    "Kind",
    "Placed",
    "PointsFormat",
    "ProjectedRun",
    "Readings",
    "SimpointPair",
    "export",
    "metrics",
    "metrics_of_intervals",
    "metrics_of_points",
    "metrics_of_run",
    "points",
    "points_alone",
    "points_on_intervals",
    "read_labels",
    "read_metrics",
    "read_points",
    "read_projected",
    "read_simpoint",
    "read_vectors",
    "recognise",
    "recogniser",
    "vectors",
    "write_simpoint",
]

_ROOMS = ("metrics", "points", "recogniser", "vectors")

#: Name -> its module, and its name there.
_PLACES = {
    "Chosen": "points.chosen",
    "ChosenPoint": "points.chosen",
    "DIALECTS": "vectors.registry",
    "Dialect": "vectors.dialect",
    "Exportable": "points.exports",
    "Exported": "points.exports",
    "KINDS": "recogniser",
    "Kind": "recogniser",
    "POINT_FORMATS": "points.reading:FORMATS",
    "Placed": "points.placing",
    "PointsFormat": "points.protocol",
    "ProjectedRun": "vectors.runs",
    "Readings": "metrics.readings",
    "SimpointPair": "points.simpoint_files",
    "TARGETS": "points.exports",
    "export": "points.exports",
    "metrics_of_intervals": "metrics.placing:of_intervals",
    "metrics_of_points": "metrics.placing:of_points",
    "metrics_of_run": "metrics.placing:of_run",
    "points_alone": "points.placing:alone",
    "points_on_intervals": "points.placing:on_intervals",
    "read_labels": "points.simpoint_files",
    "read_metrics": "metrics.measurements",
    "read_points": "points.reading:read",
    "read_projected": "vectors.runs",
    "read_simpoint": "points.simpoint_files:read_pair",
    "read_vectors": "vectors.profiles:read",
    "recognise": "recogniser",
    "write_simpoint": "points.simpoint_files:write",
}


__getattr__ = _lazy.names(__name__, {**_PLACES, **{room: f"{room}:" for room in _ROOMS}})


def __dir__() -> list[str]:
    return sorted(__all__)
