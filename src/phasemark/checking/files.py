"""Every invariant of every file phasemark knows, told apart by content."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from phasemark.checking import exported, sets
from phasemark.checking.agreement import agreement
from phasemark.checking.tables import read_phases, require_rows
from phasemark.errors import DataError, PhasemarkError, WorkError, counted
from phasemark.formats import recogniser
from phasemark.formats.metrics import gem5_stats, measurements
from phasemark.formats.perf import data as perf_data
from phasemark.formats.perf import text as perf_text
from phasemark.formats.points import simpoint_files
from phasemark.formats.recogniser import Kind
from phasemark.formats.vectors import exp_bbv, profiles
from phasemark.formats.vectors.runs import NoInterval
from phasemark.formats.vectors.scanning import scan
from phasemark.model import KINDS, Intervals, Profile, shares
from phasemark.reading import nothing_there, reading_as
from phasemark.store import (
    events_h5,
    hierarchy_h5,
    metrics_csv,
    models_csv,
    phases_store,
    points_csv,
    profile_h5,
    resealing,
)
from phasemark.store.folder import Folder
from phasemark.store.names import usable
from phasemark.store.record import read_steps

__all__ = ["Checked", "UnknownKind", "check", "check_file", "check_folder", "repair"]


#: What is said of a file that is good, and of which something is missing.
_INCOMPLETE = "; incomplete: "


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        path: the file.
        found: what it is and holds, in a few words.
        error: what is wrong with it, or that it is no kind of file that is known; None where nothing is.
    """

    path: Path
    found: str
    error: PhasemarkError | None = None

    @property
    def known(self) -> bool:
        """Whether the file is of a kind that can be checked."""
        return not isinstance(self.error, UnknownKind)

    @property
    def whole(self) -> bool:
        """Whether it holds all of what it stands for: a run may have been cut short, or recorded in part."""
        return _INCOMPLETE not in self.found


class UnknownKind(DataError):
    """A file of no kind that can be checked: nothing says that it is wrong."""


def check(paths: Sequence[Path]) -> Iterator[Checked]:
    """Check files, and folders of runs; SimPoint's simpoints and weights are checked together too."""
    kinds: dict[Path, str] = {}
    for path in paths:
        try:
            usable(path)
            if not os.path.lexists(path):
                raise nothing_there(path, folder=True)
        except (DataError, WorkError) as error:
            yield Checked(path, "", error)
            continue
        if path.is_dir():
            yield from check_folder(Folder(path))
            continue
        checked = check_file(path)
        yield checked
        kinds |= _of_simpoint(checked)
    yield from _together(kinds)


def _of_simpoint(checked: Checked) -> dict[Path, str]:
    """The file and what it holds, if it is good and goes with another of SimPoint's."""
    kind = checked.found.split(":")[0]
    return {checked.path: kind} if checked.error is None and kind in ("simpoints", "weights") else {}


def _together(kinds: Mapping[Path, str]) -> Iterator[Checked]:
    for path, look in sets.comparisons(kinds):
        yield _checked(path, look)


def repair(paths: Sequence[Path]) -> Iterator[Checked]:
    """Write files of HDF5 that lack their digest anew with it, and check them; see `store.resealing`."""
    for path in paths:
        try:
            aside = resealing.reseal(path)
        except PhasemarkError as error:
            yield Checked(path, "", error)
            continue
        checked = check_file(path)
        was = "" if aside is None else f"; written anew, as it was: {aside.name}"
        yield checked if checked.error else replace(checked, found=f"{checked.found}{was}")


def check_file(path: Path) -> Checked:
    """Check one file, of whatever kind its content says."""
    return _checked(path, _described)


def check_folder(folder: Folder) -> Iterator[Checked]:
    """Check the files of a run, each by itself and against the others, all of one state of the folder."""
    yield from folder.steady(lambda: list(_checked_files(folder)))


def _checked_files(folder: Folder) -> Iterator[Checked]:
    files = [file for file in _files_of(folder) if file.exists()]
    if not files:
        yield from _checked_one_by_one(folder)
        return
    good = True
    kinds: dict[Path, str] = {}
    for file in files:
        checked = check_file(file)
        good &= checked.error is None
        kinds |= _of_simpoint(checked)
        yield checked
    if not folder.points.exists():
        yield from _together(kinds)
    if good:
        yield _checked(folder.path, lambda _: agreement(folder))


def _checked_one_by_one(folder: Folder) -> Iterator[Checked]:
    """A folder that is of no run, as one that was exported to: its files, if any of them is known."""
    there = sorted(folder.path.iterdir())
    files = [path for path in there if path.is_file() and not path.name.startswith(".")]
    reports = [check_file(path) for path in files]
    if not any(checked.known for checked in reports):
        error = DataError(
            "holds no file of a run",
            path=folder.path,
            hint="name a folder that phasemark wrote, or a file",
        )
        yield Checked(folder.path, "folder", error)
        return
    yield from reports
    yield from _together({path: kind for checked in reports for path, kind in _of_simpoint(checked).items()})


def _files_of(folder: Folder) -> list[Path]:
    """The files of a run that are checked; none where nothing but SimPoint's files is there."""
    named = [folder["run.json"], folder.profile, folder.phases, folder.model, folder.points]
    named += [folder.metrics, folder.point_metrics, folder.warmup_metrics, folder.events, folder.hierarchy]
    named += [folder.fixed, folder.fixed_metrics, folder.models, folder.models_points]
    named += [folder.track, folder.tracked]
    if not any(file.exists() for file in named):
        return []
    kinds = ("simpoints", "weights", "labels")
    return named + [file for kind in kinds for file in sorted(folder.path.glob(f"{kind}*")) if file.is_file()]


def _checked(path: Path, look: Callable[[Path], str]) -> Checked:
    try:
        with reading_as(path, "what it seems to be", hint="write it again"):
            return Checked(path, look(path))
    except PhasemarkError as error:
        return Checked(path, "", error)


def _described(path: Path) -> str:
    kind = recogniser.recognise(path)
    if kind in _METRICS_OF_OTHERS:
        return f"{kind.name}: {counted(len(measurements.read([path])), 'row')} of metrics"
    return _DESCRIPTIONS[kind](path)


def _run(path: Path) -> str:
    steps = read_steps(path)
    lost = steps.get("profile", {}).get("lost")
    missing = f"{_INCOMPLETE}{'; '.join(map(str, lost))}" if lost and isinstance(lost, list) else ""
    return f"run.json: {counted(len(steps), 'step')}{missing}"


def _profile(path: Path) -> str:
    profile = profile_h5.read(path)
    for _ in profile.vectors.rows():
        pass  # those of a large profile are checked as they are read
    return _size(profile)


def _samples(path: Path) -> str:
    kind = recogniser.recognise(path)
    read = perf_data.read(path) if kind is recogniser.PERF_DATA else perf_text.read(path)
    return (
        f"samples of perf: {counted(len(read), 'sample')} of {', '.join(read.events)[:40]}, "
        f"{counted(len(read.tid), 'thread')}, {counted(len(read.offset), 'address', 'addresses')}"
    )


def _model(path: Path) -> str:
    signatures, phases = phases_store.read_model(path)
    return f"model: {counted(phases.k, 'phase')} of {counted(len(signatures), 'interval')}"


def _events(path: Path) -> str:
    traces = events_h5.read(path)
    events = sum(len(position) for trace in traces for *_, position in trace.chunks())
    sites = len(traces[0].sites) if traces else 0
    return f"events: {events:,} of {counted(len(traces), 'thread')} at {counted(sites, 'site')}"


def _hierarchy(path: Path) -> str:
    hierarchy = hierarchy_h5.read(path).hierarchy
    return f"hierarchy: {counted(len(hierarchy), 'node')} on {counted(hierarchy.depth, 'level')}"


def _vectors(path: Path) -> str:
    try:
        profile = profiles.read([path])
    except NoInterval as idle:
        # Beside the files of other threads it is taken.
        return f"vectors: {idle.reason}"
    return f"{profile.provenance.details['dialect']} vectors: {_size(profile).split(': ')[1]}"


def _unknown(path: Path) -> str:
    """As vectors, which may begin after many lines; else nothing is known of it."""
    try:
        return _vectors(path)
    except DataError as error:
        why = error.reason if error.line is None else f"line {error.line} {error.reason}"
        raise UnknownKind(
            "no kind of file that check knows",
            path=path,
            hint=f"docs/formats.md lists them; read as vectors: {why}",
        ) from error


def _size(profile: Profile) -> str:
    cut_short = "" if profile.provenance.complete else f"{_INCOMPLETE}the run was cut short"
    return (
        f"profile: {profile.provenance.length_in_words(profile.instructions)}, "
        f"{counted(len(profile.interval_table), 'interval')}, "
        f"{counted(len(profile.block_table), 'block')}{cut_short}"
    )


def _points(path: Path) -> str:
    points = points_csv.read(path)
    return f"points: {len(points):,}, coverage {shares.written(points.coverage)}"


def _phases(path: Path) -> str:
    table = read_phases(path)
    phase, distance = np.array(table["phase"], np.int64), np.array(table["distance"], np.float64)
    kinds = {name: code for code, name in enumerate(KINDS)}
    again = phases_store.made_again_by(path)
    known = np.array([kind in kinds for kind in table["kind"]], np.bool_)
    require_rows(known, "the interval is of an unknown kind", path, again)
    require_rows(phase >= 0, "the phase is negative", path, again)
    require_rows(distance >= 0, "the distance is negative or no number", path, again)
    columns = {
        name: np.array(table[name], np.int64) for name in ("run", "thread", "index", "start", "length")
    }
    columns["kind"] = np.array([kinds[kind] for kind in table["kind"]], np.int64)
    try:
        Intervals(**columns)  # type: ignore[arg-type]
    except DataError as error:
        raise error.at(path) from error
    return f"phases: {len(np.unique(phase)):,} of {counted(len(phase), 'interval')}"


def _models(path: Path) -> str:
    return f"models: {counted(len(models_csv.read(path)), 'fit')}"


def _models_points(path: Path) -> str:
    return f"points of models: {counted(len(models_csv.read_points(path)), 'estimate')}"


def _metrics(path: Path) -> str:
    metrics = metrics_csv.read(path)
    size = f"{counted(len(metrics), 'row')} of {counted(len(metrics.counters), 'counter')}"
    return f"metrics: {size} by {metrics.source}"


def _stats(path: Path) -> str:
    gem5_stats.read(path)
    return f"gem5's stats: {counted(gem5_stats.instructions(path), 'instruction')}"


def _simpoints(path: Path) -> str:
    return f"simpoints: {counted(len(simpoint_files.read_simpoints(path)), 'cluster')}"


def _weights(path: Path) -> str:
    return f"weights: {counted(len(simpoint_files.read_weights(path)), 'cluster')}"


def _labels(path: Path) -> str:
    return f"labels: {counted(len(simpoint_files.read_labels(path)[0]), 'interval')}"


def _functions(path: Path) -> str:
    return f"exp-bbv's functions: of {counted(len(exp_bbv.read_pc_file(scan(path))), 'block')}"


_METRICS_OF_OTHERS = (
    recogniser.PERF_STAT,
    recogniser.CHAMPSIM_TEXT,
    recogniser.CHAMPSIM_JSON,
    recogniser.RESULTS,
)

#: What a file of a kind is and holds.
_DESCRIPTIONS: dict[Kind, Callable[[Path], str]] = {
    recogniser.RUN: _run,
    recogniser.PROFILE: _profile,
    recogniser.MODEL: _model,
    recogniser.HIERARCHY: _hierarchy,
    recogniser.EVENTS: _events,
    recogniser.POINTS: _points,
    recogniser.PHASES: _phases,
    recogniser.MODELS: _models,
    recogniser.MODELS_POINTS: _models_points,
    recogniser.METRICS: _metrics,
    recogniser.GEM5_STATS: _stats,
    recogniser.CHAMPSIM: exported.of_points,
    recogniser.REGIONS: exported.of_points,
    recogniser.XIANGSHAN: exported.of_xiangshan,
    recogniser.LOOPPOINT: exported.of_looppoint,
    recogniser.TRACE: exported.of_trace,
    recogniser.SIMPOINTS: _simpoints,
    recogniser.WEIGHTS: _weights,
    recogniser.LABELS: _labels,
    recogniser.FUNCTIONS: _functions,
    recogniser.VECTORS: _vectors,
    recogniser.PERF_DATA: _samples,
    recogniser.PERF_SCRIPT: _samples,
    recogniser.UNKNOWN: _unknown,
}
