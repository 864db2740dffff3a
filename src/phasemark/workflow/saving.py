"""Values made in Python -> a run's folder."""

from __future__ import annotations

from phasemark.errors import DataError, counted
from phasemark.model import Intervals, Metrics, Phases, Points, Profile, Signatures
from phasemark.quality.measured import rows_of
from phasemark.store import metrics_csv, profile_h5
from phasemark.store.folder import Folder
from phasemark.workflow.alone import alone
from phasemark.workflow.phases import keep_phases, read_phases
from phasemark.workflow.points import keep_points
from phasemark.workflow.replaceable import require_not_recorded

#: What made the files, as they tell it.
_COMMAND = {"command": "python"}


@alone("save")
def save_profile(folder: Folder, profile: Profile) -> tuple[str, ...]:
    """Write a profile to a folder, which it makes a run's.

    Returns:
        What became of files that were made from another profile, one phrase each.

    Raises:
        UsageError: the folder holds the recorded run of a program, which would be lost.
        WorkError: the folder cannot be written.
    """
    require_not_recorded(folder)
    with folder.create().change("save") as new:
        require_not_recorded(folder)
        new.discard_from("profile")
        profile_h5.write(new.profile, profile)
        new.record("profile", {"tool": profile.provenance.tool, **_COMMAND})
    return tuple(new.discarded)


@alone("save")
def save_phases(
    folder: Folder, intervals: Intervals, signatures: Signatures, phases: Phases
) -> tuple[str, ...]:
    """Write phases of a run to its folder.

    Returns:
        What became of files that were made from other phases, one phrase each.

    Raises:
        DataError: phases or signatures of other intervals.
        WorkError: a file cannot be written.
    """
    for what, value in (("phases", phases), ("signatures", signatures)):
        if len(value) != len(intervals):
            raise DataError(f"{what} of {counted(len(value), 'interval')}, and the run has {len(intervals)}")
    return keep_phases(folder, intervals, signatures, phases, dict(_COMMAND))


@alone("save")
def save_points(folder: Folder, intervals: Intervals, points: Points) -> tuple[str, ...]:
    """Write points of a run to its folder.

    Returns:
        What became of files that were made from other points, one phrase each.

    Raises:
        DataError: phases were not found yet, or a point is of no interval or phase of the run.
        WorkError: a file cannot be written.
    """
    _, phases = read_phases(folder)
    _require_intervals(points, intervals)
    beyond = (points.phase < 0) | (points.phase >= phases.k)
    if beyond.any():
        row = int(beyond.argmax())
        raise DataError(
            f"a point of phase {points.phase[row]}, and the run has {counted(phases.k, 'phase')}", row=row
        )
    entry = {**_COMMAND, "found": len(points), "covered": points.coverage, "notes": []}
    return keep_points(folder, intervals, phases, points, entry=entry, made_by=dict(_COMMAND))


@alone("save")
def save_metrics(
    folder: Folder, intervals: Intervals, metrics: Metrics, *, of_points: bool = False
) -> tuple[str, ...]:
    """Write metrics of a run's intervals to its folder.

    Args:
        folder, intervals: of the run.
        metrics: of its intervals.
        of_points: they are of the points: point-metrics.csv, not metrics.csv.

    Returns:
        What became of files that were made from earlier metrics, one phrase each.

    Raises:
        DataError: a row is of an interval that the run has not.
        WorkError: a file cannot be written.
    """
    rows_of(metrics, intervals)
    step = "simulation" if of_points else "metrics"
    # `files`, though none: what was measured elsewhere is set aside, not removed, when it is replaced.
    entry = {**_COMMAND, "rows": len(metrics), "source": metrics.source, "files": []}
    with folder.change("save") as new:
        new.discard_from(step)
        made_by = {**_COMMAND, "of": "points" if of_points else "intervals"}
        metrics_csv.write(new.point_metrics if of_points else new.metrics, metrics, made_by=made_by)
        new.record(step, entry)
    return tuple(new.discarded)


def _require_intervals(points: Points, intervals: Intervals) -> None:
    columns = (
        intervals.run,
        intervals.thread,
        intervals.index,
        intervals.start,
        intervals.start + intervals.length,
    )
    known = set(zip(*(column.tolist() for column in columns), strict=True))
    own = zip(
        *(getattr(points, n).tolist() for n in ("run", "thread", "interval", "start", "end")), strict=True
    )
    for row, key in enumerate(own):
        if key not in known:
            raise DataError(
                "the point is no interval of the run", row=row, hint="pick the points of this run"
            )
