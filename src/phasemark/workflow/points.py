"""Phases -> points, in a run's folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phasemark.errors import DataError, WorkError
from phasemark.estimates import PointOptions, choose
from phasemark.formats.points import simpoint_files
from phasemark.model import Intervals, Metrics, Phases, Points
from phasemark.model.points import OF_SAMPLE
from phasemark.quality.measured import rows_of
from phasemark.store import metrics_csv, points_csv
from phasemark.store.folder import Folder
from phasemark.store.missing import no_file
from phasemark.workflow.alone import alone
from phasemark.workflow.phases import read_phases
from phasemark.workflow.reading import read, read_intervals
from phasemark.workflow.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Pilot:
    """What was measured before, from which it follows how many points each phase needs.

    Attributes:
        path: of the file.
        metrics: in it.
        intervals: of the run that it measured.
        of: how many the run has.
    """

    path: Path
    metrics: Metrics
    intervals: int
    of: int

    def entry(self) -> dict[str, Any]:
        """In few words, as JSON holds it."""
        return {
            "file": self.path.name,
            "source": self.metrics.source,
            "intervals": self.intervals,
            "of": self.of,
        }

    def note(self) -> str:
        """What a user should know."""
        by = f", by {self.metrics.source}" if self.metrics.source else ""
        what = "all" if self.intervals == self.of else f"{self.intervals:,}"
        return (
            f"the pilot is {self.path.name}{by}, which measured {what} of {self.of:,} intervals; "
            "--no-pilot (use_pilot=False) leaves it out"
        )


@dataclass(frozen=True, repr=False)
class PointResult(Result):
    """The points picked in a run.

    Attributes:
        intervals, phases: of the run; None where it has none.
        points: as picked.
        notes: why so many, one sentence each.
        discarded: what became of files that were made from other points, one phrase each.
        pilot: what told how much each stratum varies; None: the distances to the centres, or nothing had to.
    """

    intervals: Intervals | None
    phases: Phases | None
    points: Points
    notes: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    pilot: Pilot | None = None

    def frame(self) -> pd.DataFrame:
        """One row a point."""
        return self.points.frame()


@alone("points")
def pick_points(folder: Folder, options: PointOptions | None = None) -> PointResult:
    """Pick the points of a run; write points.csv, simpoints, weights and labels.

    Args:
        folder: a run's folder with profile.h5 and model.h5.
        options: None: the defaults.

    Raises:
        DataError: phases were not found yet, or a file is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    options = options or PointOptions()
    options.check()
    signatures, phases = read_phases(folder)
    intervals = read_intervals(folder.path)
    planned = options.count_each is None
    pilot = measured_so_far(folder, intervals) if planned and options.use_pilot else None
    metrics = None if pilot is None else pilot.metrics
    # What the whole run's metrics hold is not lost with a point.
    simulated = pilot is not None and pilot.path == folder.point_metrics
    before = chosen_before(folder, options) if simulated else None
    choice = choose(
        intervals,
        phases,
        options,
        metrics,
        before,
        vectors=lambda: read(folder.path).vectors,
        signatures=signatures,
    )
    if choice.details.get("deviations") != "pilot":
        pilot = None  # too little was measured, or the method takes no notice of phases
    notes = choice.notes if pilot is None else (*choice.notes, pilot.note())
    entry = {**dataclasses.asdict(options), "found": len(choice), "covered": choice.coverage}
    entry |= {**choice.details, **({} if pilot is None else {"pilot": pilot.entry()}), "notes": list(notes)}
    made_by = {"command": "points", **dataclasses.asdict(options)}
    made_by["coverage_asked"] = made_by.pop("coverage")
    # A pilot stays: its intervals are what they were, though more are asked for.
    keep = "simulation" if planned else None
    discarded = keep_points(folder, intervals, phases, choice.points, entry=entry, made_by=made_by, keep=keep)
    return PointResult(intervals, phases, choice.points, notes, discarded, pilot)


def keep_points(
    folder: Folder,
    intervals: Intervals | None,
    phases: Phases | None,
    points: Points,
    *,
    entry: dict[str, Any],
    made_by: dict[str, object],
    keep: str | None = None,
    back: Sequence[Path] = (),
) -> tuple[str, ...]:
    """Write points.csv, SimPoint's files and their entry in run.json.

    Args:
        folder: a run's folder.
        intervals, phases: of the run; None where it has none.
        points: of the run.
        entry: of run.json.
        made_by: of the comment of points.csv.
        keep: a later step whose files stay, though these are other points.
        back: files with these points that were set aside in the folder.

    Returns:
        What became of files that were made from other points, one phrase each.

    Raises:
        DataError: run.json is damaged.
        WorkError: a file cannot be written.
    """
    with folder.change("points") as new:
        _require_these(folder, phases)
        known = _known(folder, entry)
        if known is None or not _same_rows(known, points):
            new.discard_from("points", keep)
        elif any(getattr(known, name) != getattr(points, name) for name in OF_SAMPLE):
            # The same are to be simulated, and error bars are others.
            new.discard_from("points", "simulation")
        points_csv.write(new.points, points, made_by=made_by)
        simpoint_files.write(new.path, intervals, phases, points)
        new.record("points", entry)
        for aside in back:
            new.bring_back(aside.name)
    return tuple(new.discarded)


def _require_these(folder: Folder, phases: Phases | None) -> None:
    """See that nobody found other phases in the meantime.

    Raises:
        DataError: phases are not there any more.
        WorkError: they are others.
    """
    if phases is None and not folder.model.exists():
        return
    _, now = read_phases(folder)
    if phases is None or not np.array_equal(now.labels, phases.labels):
        raise WorkError(
            f"{folder.path}: other phases were found while points were picked",
            hint="pick the points again",
        )


def read_points(folder: Folder) -> Points:
    """The points of a run.

    Raises:
        DataError: none were picked yet, or points.csv is damaged.
    """
    if not folder.points.exists():
        raise no_file(folder.points, "run `phasemark points DIR` first")
    return points_csv.read(folder.points)


def measured_so_far(folder: Folder, intervals: Intervals) -> Pilot | None:
    """What was measured of a run's intervals so far: its points, else the whole run.

    Raises:
        DataError: the file is damaged, or of another run.
    """
    for path in (folder.point_metrics, folder.metrics):
        if path.exists():
            metrics = metrics_csv.read(path)
            if len(metrics) == 1 and metrics.length[0] >= intervals.length.sum() > intervals.length[0]:
                continue  # the whole run in one says nothing of its intervals
            try:
                rows = rows_of(metrics, intervals)
            except DataError as error:
                raise error.at(path) from error
            return Pilot(path, metrics, int(np.count_nonzero(rows >= 0)), len(intervals))
    return None


def chosen_before(folder: Folder, options: PointOptions) -> Points | None:
    """The points of an earlier choice that the same method and seed continue.

    Raises:
        DataError: the file is damaged.
    """
    if options.target_error is None or not folder.points.exists():
        return None
    before = points_csv.read(folder.points)
    seed = folder.entry_of("points").get("seed")
    same = before.method == options.chosen_method == "stratified" and seed == options.seed
    return before if same else None


def _known(folder: Folder, entry: dict[str, Any]) -> Points | None:
    """The points that the folder holds by such an entry of run.json; None where there are none."""
    try:
        return points_csv.read(folder.points) if folder.is_recorded_as("points", entry) else None
    except DataError:
        return None


def _same_rows(one: Points, other: Points) -> bool:
    """Whether these are the very same points, so that what was measured of the ones is of the others."""
    names = [name for name, value in vars(other).items() if isinstance(value, np.ndarray)]
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)
