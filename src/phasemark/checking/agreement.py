"""The files of a run held against one another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.checking.tables import read_phases, require_rows
from phasemark.errors import DataError, counted
from phasemark.formats.points import simpoint_files
from phasemark.model import KINDS, Intervals, Phases, Points
from phasemark.model.points import FROM_ALL
from phasemark.quality.measured import rows_of
from phasemark.store import (
    events_h5,
    hierarchy_h5,
    metrics_csv,
    models_csv,
    phases_store,
    points_csv,
    profile_h5,
)
from phasemark.store.folder import Folder
from phasemark.workflow.reading import ALIKE

__all__ = ["agreement"]

#: How phases that do not agree with the profile are mended.
_AGAIN, _TRACK_AGAIN = "run `phasemark phases` again", "run `phasemark track` again"


def agreement(folder: Folder) -> str:
    """What of a run agrees; the run's files are good each by itself.

    Raises:
        DataError: two of them do not agree; names the file, and its row where there is one.
    """
    if not folder.profile.exists():
        return _without_profile(folder)
    intervals = profile_h5.read_intervals(folder.profile)
    held = ["profile.h5"]
    held += _require_intervals(folder, intervals)
    phases = None
    if folder.model.exists():
        phases = phases_store.read_model(folder.model)[1]
        _require_label_each(phases, intervals, folder.model)
        held.append("model.h5")
    if folder.phases.exists():
        _require_phases(folder.phases, intervals, phases)
        held.append("phases.csv")
    if folder.points.exists():
        points = points_csv.read(folder.points)
        _require_points(points, intervals, phases, folder.points)
        held += ["points.csv", *_require_simpoint_files(folder, intervals, points)]
        if phases is not None:
            held += _require_labels(folder, intervals, points, phases)
        if folder.point_metrics.exists():
            held.append(_measured_points(points, intervals, folder.point_metrics))
        if folder.warmup_metrics.exists():
            _require_metrics_of_points(points, folder.warmup_metrics)
            held.append(folder.warmup_metrics.name)
    if folder.metrics.exists():
        _require_metrics(intervals, folder.metrics)
        held.append("metrics.csv")
    held += _require_track(folder, intervals)
    held += _require_models(folder, intervals)
    return f"run: {', '.join(held)} agree" if held[1:] else f"run: {held[0]} alone"


def _require_track(folder: Folder, intervals: Intervals) -> list[str]:
    """Online phases are of the profile's intervals, and track.csv has those of track.h5."""
    if not folder.tracked.exists():
        return []
    tracked = phases_store.read_model(folder.tracked)[1]
    _require_label_each(tracked, intervals, folder.tracked, _TRACK_AGAIN)
    if folder.track.exists():
        _require_phases(folder.track, intervals, tracked, _TRACK_AGAIN)
    return [file.name for file in (folder.track, folder.tracked) if file.exists()]


def _without_profile(folder: Folder) -> str:
    """What agrees of a run that has points and what was measured of them."""
    held = []
    if folder.points.exists():
        points = points_csv.read(folder.points)
        held += ["points.csv", *_require_simpoint_files(folder, None, points)]
        if folder.point_metrics.exists():
            _require_metrics_of_points(points, folder.point_metrics)
            held.append("point-metrics.csv")
    lacks = "no profile.h5"
    if folder.is_unfinished():
        lacks = "its recording is unfinished: the program still runs, or phasemark was killed"
    return f"run: {', '.join(held)} agree; {lacks}" if held[1:] else f"run: {lacks}"


def _require_metrics(intervals: Intervals, path: Path) -> None:
    """Its rows are intervals of the profile, or one is the whole run."""
    metrics = metrics_csv.read(path)
    if len(metrics) == 1 and metrics.length[0] >= intervals.length.sum():
        return
    try:
        rows_of(metrics, intervals)
    except DataError as error:
        raise error.at(path) from error


def _require_models(folder: Folder, intervals: Intervals) -> list[str]:
    """No more phases than intervals, and no points but of fits that there are."""
    if not folder.models.exists():
        return []
    fits, again = models_csv.read(folder.models), "run `phasemark models` again"
    fewer = np.array([fit.used <= len(intervals) for fit in fits], np.bool_)
    require_rows(fewer, "more states than the profile has intervals are used", folder.models, again)
    if not folder.models_points.exists():
        return [folder.models.name]
    known = {fit.key for fit in fits}
    of_fits = np.array([row.key in known for row in models_csv.read_points(folder.models_points)], np.bool_)
    require_rows(of_fits, "points of a fit that is not in models.csv", folder.models_points, again)
    return [folder.models.name, folder.models_points.name]


def _measured_points(points: Points, intervals: Intervals, path: Path) -> str:
    """Its rows are intervals of the profile; those of earlier points stay, as a pilot."""
    metrics = metrics_csv.read(path)
    try:
        rows_of(metrics, intervals)
    except DataError as error:
        raise error.at(path) from error
    of_points = int((metrics.rows(points.run, points.thread, points.interval) >= 0).sum())
    earlier = len(metrics) - of_points
    return path.name + (f" (with {counted(earlier, 'interval')} that no point is now)" if earlier else "")


def _require_metrics_of_points(points: Points, path: Path) -> None:
    metrics = metrics_csv.read(path)
    rows = metrics.rows(points.run, points.thread, points.interval)
    there = rows[rows >= 0]
    same = metrics.start[there] == points.start[rows >= 0]
    same &= metrics.length[there] == (points.end - points.start)[rows >= 0]
    strange = np.ones(len(metrics), np.bool_)
    strange[there] = ~same
    if strange.any():
        raise DataError(
            "a row is of no point",
            path=path,
            row=int(np.argmax(strange)),
            hint="simulate the points of points.csv, or import their results again",
        )


def _require_intervals(folder: Folder, intervals: Intervals) -> list[str]:
    """The hierarchy and the profile of fixed length are of the profile's threads, as long as they are."""
    held, again = [], "run `phasemark intervals DIR` again, or `phasemark intervals DIR --fixed`"
    ends = _ends(intervals)
    if folder.events.exists():
        traces = {(one.run, one.thread): one.instructions for one in events_h5.read(folder.events)}
        if not _are_alike(traces, ends):
            raise DataError(
                "its threads are not those of the profile",
                path=folder.events,
                hint="record the run again with `phasemark profile --events`",
            )
        held.append(folder.events.name)
    if folder.hierarchy.exists():
        hierarchy = hierarchy_h5.read(folder.hierarchy).hierarchy
        if hierarchy.depth and _ends(hierarchy.cut(0)) != ends:
            raise DataError("its threads are not those of the profile", path=folder.hierarchy, hint=again)
        held.append(folder.hierarchy.name)
    if folder.fixed.exists():
        fixed = profile_h5.read_intervals(folder.fixed)
        if not _are_alike(_ends(fixed), ends):
            raise DataError("its threads are not those of the profile", path=folder.fixed, hint=again)
        held.append(folder.fixed.name)
        if folder.fixed_metrics.exists():
            _require_metrics(fixed, folder.fixed_metrics)
            held.append(folder.fixed_metrics.name)
    return held


def _are_alike(one: dict[tuple[int, int], int], other: dict[tuple[int, int], int]) -> bool:
    """Whether threads are the same and together nearly as long: two runs of a program."""
    whole = sum(one.values())
    return one.keys() == other.keys() and abs(whole - sum(other.values())) <= ALIKE * whole


def _ends(intervals: Intervals) -> dict[tuple[int, int], int]:
    """Where the last interval of each thread ends."""
    ends = (intervals.start + intervals.length).tolist()
    keys = zip(intervals.run.tolist(), intervals.thread.tolist(), strict=True)
    return dict(zip(keys, ends, strict=True))


def _require_label_each(phases: Phases, intervals: Intervals, path: Path, again: str = _AGAIN) -> None:
    if len(phases) != len(intervals):
        raise DataError(
            f"{counted(len(phases), 'interval')} with a phase, the profile has {len(intervals):,}",
            path=path,
            hint=again,
        )


def _require_phases(path: Path, intervals: Intervals, phases: Phases | None, again: str = _AGAIN) -> None:
    table = read_phases(path)
    if len(table["phase"]) != len(intervals):
        raise DataError(
            f"{counted(len(table['phase']), 'row')} for {counted(len(intervals), 'interval')} of the profile",
            path=path,
            hint=again,
        )
    expected = {name: getattr(intervals, name) for name in ("run", "thread", "index", "start", "length")}
    expected["kind"] = np.array(KINDS)[intervals.kind]
    if phases is not None:
        expected["phase"] = phases.labels
    for name, values in expected.items():
        require_rows(np.array(table[name]) == values, f"{name} differs from the profile's", path, again)


def _require_points(points: Points, intervals: Intervals, phases: Phases | None, path: Path) -> None:
    rows = {
        key: row
        for row, key in enumerate(
            zip(intervals.run.tolist(), intervals.thread.tolist(), intervals.index.tolist(), strict=True)
        )
    }
    again = "run `phasemark points` again"
    keys = zip(points.run.tolist(), points.thread.tolist(), points.interval.tolist(), strict=True)
    at = np.array([rows.get(key, -1) for key in keys], np.int64)
    require_rows(at >= 0, "the point's interval is not in the profile", path, again)
    starts, ends = intervals.start[at], intervals.start[at] + intervals.length[at]
    require_rows(points.start == starts, "the point does not start where its interval starts", path, again)
    require_rows(points.end == ends, "the point does not end where its interval ends", path, again)
    if phases is not None and points.method not in FROM_ALL:
        same = points.phase == phases.labels[at]
        require_rows(same, "the point's interval is of another phase", path, again)


def _require_simpoint_files(folder: Folder, intervals: Intervals | None, points: Points) -> list[str]:
    held = []
    for suffix, _, chosen in simpoint_files.per_thread(intervals, points):
        numbers = simpoint_files.clusters(points)
        of_cluster = {numbers[row]: row for row in np.flatnonzero(chosen).tolist()}
        simpoints, weights = folder[f"simpoints{suffix}"], folder[f"weights{suffix}"]
        if simpoints.exists() and weights.exists():
            _require_pair(simpoints, simpoint_files.read_simpoints(simpoints), points.interval, of_cluster)
            _require_pair(weights, simpoint_files.read_weights(weights), points.weight, of_cluster)
            held += [simpoints.name, weights.name]
    return held


def _require_pair(
    path: Path, stated: Mapping[int, float], expected: NDArray[Any], of_cluster: Mapping[int, int]
) -> None:
    again = "run `phasemark points` again"
    for cluster in sorted(stated.keys() | of_cluster.keys()):
        if cluster not in stated or cluster not in of_cluster:
            where = "points.csv" if cluster in stated else "it"
            raise DataError(f"cluster {cluster} is missing from {where}", path=path, hint=again)
        value = expected[of_cluster[cluster]]
        if not np.isclose(stated[cluster], value, rtol=1e-5, atol=0):
            raise DataError(
                f"says {stated[cluster]:g} for cluster {cluster}, points.csv says {value:g}",
                path=path,
                hint=again,
            )


def _require_labels(folder: Folder, intervals: Intervals, points: Points, phases: Phases) -> list[str]:
    held = []
    again = "run `phasemark phases` again"
    for suffix, rows, _ in simpoint_files.per_thread(intervals, points):
        path = folder[f"labels{suffix}"]
        if not path.exists():
            continue
        labels, expected = simpoint_files.read_labels(path)[0], phases.labels[rows]
        if len(labels) != len(expected):
            raise DataError(
                f"{counted(len(labels), 'label')} for {counted(len(expected), 'interval')}",
                path=path,
                hint=again,
            )
        require_rows(labels == expected, "the label differs from that of model.h5", path, again)
        held.append(path.name)
    return held
