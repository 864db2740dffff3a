"""Every invariant of every file phasemark knows, told apart by content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasemark.checking.agreement import agreement
from phasemark.checking.tables import read_phases, require_rows
from phasemark.errors import DataError, PhasemarkError
from phasemark.formats.metrics import gem5_stats, measurements, perf_stat, results_csv
from phasemark.formats.points import simpoint_files
from phasemark.formats.source import chunks
from phasemark.formats.vectors import profiles
from phasemark.model import KINDS, Intervals, Profile
from phasemark.model.metrics import KEY as METRICS_KEY
from phasemark.store import hdf5, metrics_csv, phases_store, points_csv, profile_h5
from phasemark.store.folder import Folder, read_steps


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Attributes:
        path: the file.
        found: what it is and holds, in a few words.
        error: what is wrong with it; None where nothing is.
    """

    path: Path
    found: str
    error: PhasemarkError | None = None


def check(paths: Sequence[Path]) -> Iterator[Checked]:
    """Check files, and folders of runs; a simpoints and a weights file are checked as a pair too."""
    pair: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            yield from check_folder(Folder(path))
            continue
        checked = check_file(path)
        yield checked
        if checked.error is None and checked.found.split(":")[0] in ("simpoints", "weights"):
            pair[checked.found.split(":")[0]] = path
    if len(pair) == 2:
        yield _checked(pair["weights"], lambda path: _pair(pair["simpoints"], path))


def check_file(path: Path) -> Checked:
    """Check one file, of whatever kind its content says."""
    return _checked(path, _any)


def check_folder(folder: Folder) -> Iterator[Checked]:
    """Check the files of a run, each by itself and against the others."""
    files = [file for file in _files_of(folder) if file.exists()]
    if not files:
        error = DataError(
            "holds no file of a run",
            path=folder.path,
            hint="name a folder that phasemark wrote, or a file",
        )
        yield Checked(folder.path, "folder", error)
        return
    good = True
    for file in files:
        checked = check_file(file)
        good &= checked.error is None
        yield checked
    if good:
        yield _checked(folder.path, lambda _: agreement(folder))


def _files_of(folder: Folder) -> list[Path]:
    named = [folder["run.json"], folder.profile, folder.phases, folder.model, folder.points]
    named += [folder.metrics, folder.point_metrics]
    kinds = ("simpoints", "weights", "labels")
    return named + [file for kind in kinds for file in sorted(folder.path.glob(f"{kind}*")) if file.is_file()]


def _checked(path: Path, look: Callable[[Path], str]) -> Checked:
    try:
        return Checked(path, look(path))
    except PhasemarkError as error:
        return Checked(path, "", error)


def _any(path: Path) -> str:
    start = next(chunks(path), b"")[: 1 << 18]  # The comment of a table of many counters is long.
    if start.startswith(b"\x89HDF\r\n\x1a\n"):
        return _hdf5(path)
    if path.name == "run.json" or start.startswith(b'{\n  "format": "phasemark-run"'):
        return f"run.json: {len(read_steps(path))} steps"
    if b"Begin Simulation Statistics" in start:
        return f"gem5's stats: {gem5_stats.instructions(path):,} instructions"
    header = next((line for line in start.split(b"\n") if line.strip() and not line.startswith(b"#")), b"")
    columns = set(header.decode("ascii", "replace").strip().split(","))
    if {"interval", "warmup", "weight"} <= columns:
        return _points(path)
    if {"phase", "distance"} <= columns:
        return _phases(path)
    if set(METRICS_KEY) <= columns:
        metrics = metrics_csv.read(path)
        return f"metrics: {len(metrics):,} rows of {len(metrics.counters)} counters by {metrics.source}"
    if perf_stat.sniff(start) or results_csv.sniff(start):
        kind = measurements.recognise(path)
        return f"{kind.name}: {len(kind.read(path, measurements.Options())):,} rows of metrics"
    if len(header.split()) == 2 and not header.lstrip().startswith(b"T"):
        return _simpoint_file(path, start)
    return _vectors(path)


def _hdf5(path: Path) -> str:
    with hdf5.reading(path, "a profile or a model", hint="take the step that made it again") as file:
        is_model = file.attrs.get("format") == phases_store.FORMAT
    if not is_model:
        return _described(profile_h5.read(path))
    signatures, phases = phases_store.read_model(path)
    return f"model: {phases.k} phases of {len(signatures):,} intervals"


def _vectors(path: Path) -> str:
    profile = profiles.read([path])
    return f"{profile.provenance.details['dialect']} vectors: {_described(profile).split(': ')[1]}"


def _described(profile: Profile) -> str:
    return (
        f"profile: {profile.instructions:,} instructions, {len(profile.interval_table):,} intervals, "
        f"{len(profile.block_table):,} blocks"
    )


def _points(path: Path) -> str:
    points = points_csv.read(path)
    return f"points: {len(points):,}, coverage {points.coverage:.2%}"


def _phases(path: Path) -> str:
    table = read_phases(path)
    phase, distance = np.array(table["phase"], np.int64), np.array(table["distance"], np.float64)
    kinds = {name: code for code, name in enumerate(KINDS)}
    again = "run `phasemark phases` again"
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
    return f"phases: {len(np.unique(phase)):,} of {len(phase):,} intervals"


def _simpoint_file(path: Path, start: bytes) -> str:
    # Whole weights and distances look like ids: there the name must tell.
    kind = next((k for k in ("simpoints", "weights", "labels") if path.name.startswith(k)), None)
    pairs = [pair for line in start.split(b"\n") if len(pair := line.split()) == 2]
    if kind == "weights" or (kind is None and any(b"." in first for first, _ in pairs)):
        return f"weights: {len(simpoint_files.read_weights(path)):,} clusters"
    if kind == "labels" or (kind is None and any(b"." in second for _, second in pairs)):
        return f"labels: {len(simpoint_files.read_labels(path)[0]):,} intervals"
    return f"simpoints: {len(simpoint_files.read_simpoints(path)):,} clusters"


def _pair(simpoints: Path, weights: Path) -> str:
    return f"pair with {simpoints.name}: {len(simpoint_files.read_pair(simpoints, weights).cluster):,} points"
