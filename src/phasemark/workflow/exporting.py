"""A run's folder -> its points and vectors in other tools' formats."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from phasemark import points
from phasemark.errors import DataError, PhasemarkError, UsageError, shown
from phasemark.formats import recogniser
from phasemark.formats.points import exports, looppoint
from phasemark.formats.trace_json import Trace
from phasemark.model import Phases, Points, Profile
from phasemark.parallel.reaching import Reached, reached
from phasemark.store import metrics_csv, phases_store, points_csv
from phasemark.store.folder import Folder
from phasemark.symbols import addresses
from phasemark.views.names import with_functions
from phasemark.workflow.reading import read
from phasemark.workflow.tracing import trace_of


def export(
    folder: Folder,
    target: str,
    out: str | Path | None = None,
    name: str | None = None,
    *,
    warmup_check: bool = False,
) -> exports.Exported:
    """Write the points or vectors of a run as another tool reads them.

    Args:
        folder: of the run.
        target: one of formats.points.exports.TARGETS.
        out: the folder to write to; None: DIR/TARGET.
        name: of the workload; None: the folder's.
        warmup_check: write the points whose warm-up is checked alone, with the longer one; without `out` to
            DIR/TARGET-warmup-check.

    Raises:
        UsageError: there is no such target, or its format cannot say what the run holds.
        DataError: what is to be exported was not made yet, or a file is damaged.
        WorkError: a file cannot be written.
    """
    if target not in exports.TARGETS:
        raise UsageError(
            f"phasemark does not export to {shown(target)}", hint=f"one of: {', '.join(exports.TARGETS)}"
        )
    run = folder.steady(lambda: _gathered(folder, name or folder.path.resolve().name))
    if warmup_check:
        run = replace(run, points=points.checked(run.picked()), all_points=None)
    if target in ("looppoint", "markers", "threads") and run.profile is not None:
        run = replace(run, code=_code(run.profile))
    if target == "exp-bbv" and run.profile is not None:
        run = replace(run, profile=_with_names(run.profile))
    if target == "trace" and run.profile is not None and run.phases is not None:
        run = replace(run, trace=_trace(folder, run.profile, run.phases))
    if target == "threads" and run.profile is not None and run.points is not None:
        run = replace(run, moments=_moments(run.profile, run.points))
    place = Folder(out or folder.path / (f"{target}-warmup-check" if warmup_check else target))
    with _none_left_empty(place.path), place.create().change("export", _is_of_its_name) as new:
        exported = exports.export(run, target, new.path)
    files = tuple(place[file.name] for file in exported.files)
    lost = _lost(folder) if target in ("looppoint", "markers", "threads") else ()
    return exports.Exported(files, (*exported.notes, *lost, *new.discarded))


def _lost(folder: Folder) -> tuple[str, ...]:
    """What a user must know of boundaries that the program did not come to in the same way again."""
    boundaries = folder.entry_of("intervals").get("boundaries", {})
    if not boundaries.get("lost"):
        return ()
    return (
        f"{boundaries['lost']:,} of {boundaries['asked']:,} boundaries were not found again when the program "
        "ran once more: where it does something else each time, regions begin and end elsewhere, or never",
    )


def _code(profile: Profile) -> looppoint.Code:
    """Where the blocks are that intervals begin with."""
    marked = np.empty(0, np.int32) if profile.markers is None else profile.markers.block
    build_ids = profile.provenance.details.get("build_ids")
    found = addresses(profile.block_table, np.unique(marked[marked >= 0]), build_ids=build_ids)
    return looppoint.Code(found.address, found.offset, found.is_movable, found.is_known)


def _trace(folder: Folder, profile: Profile, phases: Phases) -> Trace:
    metrics = metrics_csv.read(folder.metrics) if folder.metrics.exists() else None
    try:
        return trace_of(profile, phases, metrics)
    except DataError as error:
        raise error if error.path else error.at(folder.path) from error


def _moments(profile: Profile, points: Points) -> Reached | None:
    """How far all threads are at the points; None where nothing says when they ran."""
    try:
        return reached(profile, points)
    except DataError:
        return None


def _with_names(profile: Profile) -> Profile:
    """A profile with the functions of its blocks, where modules tell them; they are looked up when wanted."""
    blocks = with_functions(profile)
    return replace(profile, block_table=blocks) if any(blocks.function or ()) else profile


@contextlib.contextmanager
def _none_left_empty(path: Path) -> Iterator[None]:
    """Remove the folders that were made for what then failed."""
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()  # one that is not empty stays
        raise


def _is_of_its_name(path: Path) -> bool:
    """Whether a file holds what is exported under its name, so that it was exported before."""
    kinds = {
        "simpoints": recogniser.SIMPOINTS,
        "weights": recogniser.WEIGHTS,
        "labels": recogniser.LABELS,
        "simpoint_summary.json": recogniser.XIANGSHAN,
        "champsim.csv": recogniser.CHAMPSIM,
        "looppoint.json": recogniser.LOOPPOINT,
        "markers.csv": recogniser.POINTS,
        "threads.csv": recogniser.POINTS,
        "vectors.bb.gz": recogniser.VECTORS,
        "bb.out": recogniser.VECTORS,
        "pc.out": recogniser.FUNCTIONS,
    }
    if path.name.endswith(".trace.json"):
        with path.open("rb") as file:
            return file.read(64).startswith(b'{"displayTimeUnit":"ns","otherData":{')
    wanted = next((kind for name, kind in kinds.items() if path.name.startswith(name)), recogniser.REGIONS)
    try:
        return recogniser.recognise(path) is wanted
    except PhasemarkError:
        return False


def _gathered(folder: Folder, name: str) -> exports.Exportable:
    given = folder.points.exists() and not folder.profile.exists() and not folder.is_unfinished()
    profile = None if given else read(folder.path)
    picked = points_csv.read(folder.points) if folder.points.exists() else None
    phases = phases_store.read_model(folder.model)[1] if folder.model.exists() else None
    asked = folder.entry_of("points")
    everything = None
    if (
        profile is not None
        and picked is not None
        and phases is not None
        and _is_simpoints_with_coverage(picked, phases)
    ):
        everything = points.nearest(
            profile.interval_table,
            phases,
            early=asked.get("early", False),
            warmup=asked.get("warmup", 0),
            tail_points=asked.get("tail_points", True),
        )
        # A phase of tails alone may have no point at all.
        everything = everything if len(everything) > len(picked) else None
    return exports.Exportable(
        name, profile, picked, phases, everything, float(asked.get("coverage", 1.0)), _instructions(folder)
    )


def _instructions(folder: Folder) -> int | None:
    """Of a run without a profile, as the file of its points or what was measured of all of it tells."""
    stated = folder.entry_of("points").get("instructions")
    if stated is not None:
        return int(stated)
    metrics = metrics_csv.read(folder.metrics) if folder.metrics.exists() else None
    return int(metrics.length[0]) if metrics is not None and len(metrics) == 1 else None


def _is_simpoints_with_coverage(picked: Points, phases: Phases) -> bool:
    """One nearest point of each phase, small phases left out: SimPoint then writes a second pair of files.

    It has no other points, so that nothing looks for a pair of several a phase, of which those of the phases
    left out were never picked.
    """
    return picked.method == "nearest" and len(picked) == len(set(picked.phase.tolist())) < phases.k
