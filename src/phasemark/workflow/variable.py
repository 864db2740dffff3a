"""The files of a run whose intervals are of variable length, and the way back to those of fixed length."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, WorkError
from phasemark.model import Hierarchy, Intervals, Metrics, Phases, Profile
from phasemark.simulate import TimingModel
from phasemark.simulate.config import TimingConfig
from phasemark.store import hdf5, hierarchy_h5, metrics_csv, profile_h5
from phasemark.store.folder import Folder

__all__ = ["fitted", "keep_fixed", "keep_variable"]

#: Key of the step's entry in run.json: the entry of fixed-metrics.csv, when it was metrics.csv.
_METRICS = "fixed_metrics"


def keep_variable(
    folder: Folder,
    profile: Profile,
    tree: Hierarchy,
    entry: dict[str, Any],
    *,
    metrics: tuple[Metrics, TimingConfig] | None = None,
    events: Path | None = None,
) -> tuple[str, ...]:
    """Write the profile and the hierarchy; the first time, keep what they take the place of.

    Args:
        folder: of the run.
        profile: with intervals of variable length.
        tree: of which they are a selection.
        entry: of run.json.
        metrics: of the intervals, and the machine that they were counted for; None: they were not.
        events: that were recorded anew; None: those of the folder.

    Returns:
        What became of files that were made from other intervals, one phrase each.

    Raises:
        DataError: run.json is damaged.
        WorkError: a file cannot be written.
    """
    before = folder.entry_of("intervals")
    entry = {**entry, **{key: before[key] for key in (_METRICS,) if key in before}}
    with folder.change("intervals") as new:
        new.discard_from("intervals", keep="intervals")
        if not before or not folder.fixed.exists():
            _copy(folder.profile, new.fixed)
            of_metrics = folder.entry_of("metrics")
            if of_metrics and folder.metrics.is_file():
                _copy(folder.metrics, new.fixed_metrics)
                new.kept_as(folder.metrics.name, new.fixed_metrics.name)
                entry[_METRICS] = of_metrics
        if events is not None:
            _copy(events, new.events)
        profile_h5.write(new.profile, profile)
        made_by = {
            **{name: value for name, value in entry.items() if name != _METRICS},
            "events": hdf5.seal(events or folder.events),
        }
        hierarchy_h5.write(new.hierarchy, hierarchy_h5.StoredHierarchy(tree, made_by))
        if metrics is not None:
            counted, config = metrics
            machine = {"name": config.name, "digest": config.digest}
            made = {"command": "intervals --timing", "configuration": f"{config.name} {config.digest}"}
            metrics_csv.write(new.metrics, TimingModel(config).complete(counted), made_by=made)
            new.record("metrics", {**made, "configuration": machine, "intervals": len(counted)})
        new.record("intervals", entry)
    return tuple(new.discarded)


def keep_fixed(folder: Folder) -> tuple[str, ...]:
    """Put the profile of fixed length, and what was measured of it, back in its place.

    Returns:
        What became of files that were made from intervals of variable length, one phrase each.

    Raises:
        DataError: there is none, or a file is damaged.
        WorkError: a file cannot be written.
    """
    entry = folder.entry_of("intervals")
    if not entry or not folder.fixed.exists():
        raise DataError(
            "is not there: the run's intervals are those that it was recorded with", path=folder.fixed
        )
    profile_h5.read_intervals(folder.fixed)
    with folder.change("intervals --fixed") as new:
        new.discard_from("intervals")
        _copy(folder.fixed, new.profile)
        if _METRICS in entry and folder.fixed_metrics.is_file():
            _copy(folder.fixed_metrics, new.metrics)
            new.record("metrics", entry[_METRICS])
    return tuple(new.discarded)


def fitted(tree: Hierarchy, intervals: Intervals) -> tuple[Hierarchy, tuple[str, ...]]:
    """A hierarchy whose threads end where those of a run do that was to be the same.

    No two runs are quite alike: what a thread executed more is of its last nodes, what it did not come to
    goes.

    Args:
        tree: as found in the events of one run.
        intervals: of the other one.

    Returns:
        The hierarchy, and what is to be said of it, in sentences.

    Raises:
        WorkError: the runs have other threads.
    """
    ends = _ends(intervals.run, intervals.thread, intervals.start + intervals.length)
    before = _ends(tree.run, tree.thread, tree.end)
    if ends.keys() != before.keys():
        raise WorkError(
            f"the program, run once more, had {len(ends)} threads with instructions, then {len(before)}",
            hint="intervals are found again where a program does the same each time",
        )
    if ends == before:
        return tree, ()
    keys = list(zip(tree.run.tolist(), tree.thread.tolist(), strict=True))
    now, then = (np.array([of[key] for key in keys], np.int64) for of in (ends, before))
    stays = tree.start < now
    end = np.where(tree.end == then, now, np.minimum(tree.end, now))
    number = np.cumsum(stays) - 1
    parent = np.where(tree.parent >= 0, number[tree.parent], -1)[stays]
    names = ("run", "thread", "level", "start", "kind")
    columns = {name: getattr(tree, name)[stays] for name in names}
    kept = Hierarchy(**columns, parent=parent, end=end[stays], depth=tree.depth)
    phases = [_phases_of(tree, level, stays) for level in range(len(tree.phases))]
    whole = tuple(one for one in phases if one is not None)
    if len(whole) == len(phases):
        kept = dataclasses.replace(kept, phases=whole)
    return kept, (
        "each level of the hierarchy was made to end where the threads ended this time: its last intervals "
        "are longer or shorter than those found in the events",
    )


def _phases_of(tree: Hierarchy, level: int, stays: NDArray[np.bool_]) -> Phases | None:
    """The phases of the intervals of a level that stay; None where a phase has none of them."""
    phases, rows = tree.phases[level], stays[tree.rows(level)]
    if len(np.unique(phases.labels[rows])) < phases.k:
        return None
    each: dict[str, Any] = {
        name: None if (value := getattr(phases, name)) is None else value[rows]
        for name in ("labels", "distances", "posterior", "undivided")
    }
    return dataclasses.replace(phases, **each)


def _ends(
    run: NDArray[np.int32], thread: NDArray[np.int32], end: NDArray[np.int64]
) -> dict[tuple[int, int], int]:
    ends: dict[tuple[int, int], int] = {}
    for key, one in zip(zip(run.tolist(), thread.tolist(), strict=True), end.tolist(), strict=True):
        ends[key] = max(one, ends.get(key, 0))
    return ends


def _copy(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise WorkError(f"{source}: cannot be copied: {error.strerror or error}", hint="make room") from error
