"""The steps between files that several commands share: folder in, folder out."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phasemark import phases, points, signatures
from phasemark.cli.printing import tell_discarded
from phasemark.errors import DataError, UsageError
from phasemark.estimates import PointOptions
from phasemark.model import Intervals, Phases, Points, Profile, Signatures
from phasemark.progress import Progress
from phasemark.store.folder import Folder


@dataclass(frozen=True)
class PhaseOptions:
    """How phases are found; see phases.SimPoint and signatures.project."""

    max_k: int = 30
    k: int | None = None
    search: str | int = "all"
    restarts: int = 5
    threshold: float = 0.9
    dims: int = signatures.DEFAULT_DIMS
    seed: int = phases.DEFAULT_SEED
    init: str = "incremental"
    sample_size: int | None = 100_000
    select: str = phases.selection.DEFAULT

    def model(self) -> phases.SimPoint:
        """The model, not yet fitted."""
        parameters = dataclasses.asdict(self)
        del parameters["dims"]
        return phases.SimPoint(**parameters)

    def check(self) -> None:
        """See that the options make sense.

        Raises:
            UsageError: one does not.
        """
        signatures.check(self.dims)
        self.model().check()


@dataclass(frozen=True)
class Found:
    """What find_phases found in a run."""

    intervals: Intervals
    signatures: Signatures
    phases: Phases


def run_folder(source: Path, out: Path | None = None) -> Folder:
    """The folder that the steps on `source` write to.

    Args:
        source: a run's folder, its profile.h5, or a vector file of another tool.
        out: the folder to write to; None: the run's own folder, for other files FILE.phasemark beside it.
    """
    if out is not None:
        return Folder(out)
    if source.is_dir():
        return Folder(source)
    if source.name == Folder(source.parent).profile.name:
        return Folder(source.parent)
    return Folder(source.with_name(source.name + ".phasemark"))


def open_run(source: Path, out: Path | None = None, *, cached: bool = True) -> Folder:
    """`run_folder`, with the profile that `source` holds in it.

    Args:
        source, out: see `run_folder`.
        cached: do not read `source` again where the folder's profile is known to be of it.

    Raises:
        DataError: source holds no profile, or the folder's run.json is damaged.
        WorkError: the folder cannot be written.
    """
    from phasemark.workflow import origin

    folder = run_folder(source, out)
    held = Folder(source).profile if source.is_dir() else source
    if held.resolve() != folder.profile.resolve() and not (cached and origin.is_known(folder, source)):
        _import(source, folder)
    return folder


def _import(source: Path, folder: Folder) -> None:
    from phasemark.store import profile_h5
    from phasemark.workflow import origin
    from phasemark.workflow.reading import read

    _require_not_recorded(folder)
    before = origin.identity(source)
    profile = read(source)
    tell_discarded(folder.create().discard_from("profile"), "this is another profile")
    seal = profile_h5.write(folder.profile, profile)
    entry = {"source": source.name, "tool": profile.provenance.tool}
    folder.record("profile", {**entry, **origin.entry(folder, seal, source, before)})


def _require_not_recorded(folder: Folder) -> None:
    """See that the folder does not hold the run of a program: another file's profile would take its place.

    Raises:
        UsageError: it does.
    """
    command = folder.steps().get("profile", {}).get("command") if folder["run.json"].exists() else None
    if isinstance(command, list):
        raise UsageError(
            f"{folder.path} holds a recorded run of {' '.join(map(str, command))}, which would be lost",
            hint="choose another folder with -o",
        )


def find_phases(
    folder: Folder,
    options: PhaseOptions | None = None,
    progress: Progress | None = None,
    *,
    cached: bool = True,
) -> Found:
    """Find the phases of a run; write phases.csv, model.h5, and labels where there is one thread.

    Args:
        folder: a run's folder with its profile.h5.
        options: None: the defaults.
        progress: told how many k are done, of how many.
        cached: see `projecting.project`.

    Raises:
        DataError: there is no profile, or it is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    from phasemark.formats.points import simpoint_files
    from phasemark.store import phases_store
    from phasemark.workflow import projecting

    options = options or PhaseOptions()
    run = projecting.project(folder, options.dims, options.seed, cached=cached)
    found = options.model().fit(run.signatures, progress=progress).phases_
    made_by = _made_by("phases", options)
    entry = {**dataclasses.asdict(options), "found": found.k, "notes": found.model["notes"]}
    if not _are_known(folder, entry, found):
        tell_discarded(folder.discard_from("phases"), "these are other phases")
    phases_store.write_csv(folder.phases, run.intervals, found, made_by=made_by)
    phases_store.write_model(folder.model, run.signatures, found)
    if _threads(run.intervals) == 1:
        simpoint_files.write_labels(folder["labels"], found)
    folder.record("phases", entry)
    return Found(run.intervals, run.signatures, found)


def _are_known(folder: Folder, entry: dict[str, Any], found: Phases) -> bool:
    """Whether the folder holds these very phases, so that what was made from them stays true."""
    from phasemark.store import phases_store

    try:
        if folder.steps().get("phases") != Folder.entry(entry):
            return False
        _, before = phases_store.read_model(folder.model)
    except DataError:
        return False
    return np.array_equal(before.labels, found.labels) and np.array_equal(before.distances, found.distances)


def measure_stability(
    folder: Folder, options: PhaseOptions | None = None, seeds: int = 10, progress: Progress | None = None
) -> phases.Stability:
    """Find the phases and points of a run with several seeds, compare them; write stability.csv.

    Args:
        folder: a run's folder with its profile.h5; its phases and points stay as they are.
        options: None: the defaults; the seeds are those from `options.seed` on.
        seeds: how many, at least 2.
        progress: told how many seeds are done, of how many.

    Raises:
        DataError: there is no profile, or it is damaged.
        UsageError: an option makes no sense.
        WorkError: the file cannot be written.
    """
    from phasemark.store import tables
    from phasemark.workflow.reading import read

    if seeds < 2:
        raise UsageError(f"{seeds} seeds", hint="compare at least 2")
    options = options or PhaseOptions()
    options.check()
    profile = read(folder.path)
    outcomes = []
    for seed in range(options.seed, options.seed + seeds):
        outcomes.append(_outcome(profile, dataclasses.replace(options, seed=seed)))
        if progress:
            progress(len(outcomes), seeds)
    stability = phases.Stability.of(outcomes)
    tables.write(folder.stability, stability.table(), made_by={**_made_by("phases", options), "seeds": seeds})
    folder.record("stability", {**dataclasses.asdict(options), "seeds": seeds})
    return stability


def _outcome(profile: Profile, options: PhaseOptions) -> phases.Outcome:
    projected = signatures.project(profile, options.dims, options.seed)
    found = options.model().fit(projected).phases_
    picked = points.nearest(profile.interval_table, found)
    names = zip(picked.run.tolist(), picked.thread.tolist(), picked.interval.tolist(), strict=True)
    return phases.Outcome(options.seed, found.labels, frozenset(names))


def pick_points(folder: Folder, options: PointOptions | None = None) -> tuple[Intervals, Phases, Points]:
    """Pick the points of a run; write points.csv, simpoints, weights and labels.

    Args:
        folder: a run's folder with profile.h5 and model.h5.
        options: None: the defaults.

    Raises:
        DataError: phases were not found yet, or a file is damaged.
        UsageError: an option makes no sense.
        WorkError: a file cannot be written.
    """
    from phasemark.cli import choosing
    from phasemark.estimates import choose
    from phasemark.formats.points import simpoint_files
    from phasemark.store import phases_store, points_csv
    from phasemark.workflow.reading import read_intervals

    options = options or PointOptions()
    options.check()
    if not folder.model.exists():
        raise DataError("there is no such file", path=folder.model, hint="run `phasemark phases` first")
    intervals = read_intervals(folder.path)
    _, found = phases_store.read_model(folder.model)
    planned = options.count_each is None
    pilot = choosing.measured(folder, intervals) if planned else None
    choice = choose(intervals, found, options, pilot, choosing.chosen_before(folder, options))
    picked = choice.points
    made_by = _made_by("points", options)
    made_by["coverage_asked"] = made_by.pop("coverage")
    entry = {**dataclasses.asdict(options), "found": len(picked), "covered": picked.coverage}
    entry |= {**choice.said, "notes": list(choice.notes)}
    if not _are_known_points(folder, entry, picked):
        # A pilot: its intervals are what they were, though more are asked for.
        keep = "simulation" if planned else None
        tell_discarded(folder.discard_from("points", keep), "these are other points")
    points_csv.write(folder.points, picked, made_by=made_by)
    simpoint_files.write(folder.path, intervals, found, picked)
    folder.record("points", entry)
    return intervals, found, picked


def _are_known_points(folder: Folder, entry: dict[str, Any], picked: Points) -> bool:
    """As `_are_known`, of points."""
    from phasemark.store import points_csv

    try:
        if folder.steps().get("points") != Folder.entry(entry):
            return False
        before = points_csv.read(folder.points)
    except DataError:
        return False
    names = [name for name, value in vars(picked).items() if isinstance(value, np.ndarray)]
    return all(np.array_equal(getattr(before, name), getattr(picked, name), equal_nan=True) for name in names)


def summary(intervals: Intervals, found: Phases, picked: Points) -> dict[str, Any]:
    """The run in one JSON object: instructions, intervals, k, coverage, points and the phases' shares."""
    instructions = int(intervals.length.sum())
    shares = found.shares(intervals.length.astype(np.float64) / max(instructions, 1))
    names = [name for name, value in vars(picked).items() if isinstance(value, np.ndarray)]
    columns = [_without_nan(getattr(picked, name).tolist()) for name in names]
    return {
        "instructions": instructions,
        "intervals": len(intervals),
        "k": found.k,
        "coverage": picked.coverage,
        "method": picked.method,
        "point_instructions": picked.instructions,
        "points": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "shares": shares.tolist(),
        "scores": {str(k): score for k, score in found.scores.items()},
        "notes": list(found.model.get("notes", [])),
    }


def _without_nan(values: list[Any]) -> list[Any]:
    """JSON has no NaN."""
    return [None if isinstance(value, float) and math.isnan(value) else value for value in values]


def _made_by(step: str, options: PhaseOptions | PointOptions) -> dict[str, object]:
    return {"command": step, **dataclasses.asdict(options)}


def _threads(intervals: Intervals) -> int:
    return int(intervals.first_of_thread().sum())
