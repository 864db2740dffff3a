"""Points and vectors for other tools: one table of targets, by the name a user gives.

Some formats cannot say all that points.csv says; what is lost is returned as notes, or refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from phasemark.errors import DataError, UsageError, counted, shown
from phasemark.formats import trace_json
from phasemark.formats.points import (
    champsim,
    looppoint,
    looppoint_csv,
    looppoint_json,
    markers_csv,
    nemu_summary,
    pinpoints_csv,
    simpoint_files,
    threads_csv,
)
from phasemark.formats.vectors import exp_bbv, simpoint_text
from phasemark.model import KINDS, Phases, Points, Profile, shares

__all__ = ["TARGETS", "Exportable", "Exported", "export"]


_VARIABLE = KINDS.index("variable")

_ANY_LENGTH = "export to pinpoints or champsim, which have instruction counts"


@dataclass(frozen=True)
class Exportable:
    """A run as far as other tools take it.

    Attributes:
        name: of the run.
        profile: its vectors; None of a run that has points alone.
        points: as in points.csv; None where none were picked.
        phases: as in model.h5; None where none were found.
        all_points: a point for every phase, where `points` leaves small phases out; else None.
        coverage: the share of instructions that was asked for when the points were picked.
        instructions: of the whole run, where that is known without a profile.
        code: where the profile's blocks are, which markers say; None: it was not looked up.
        trace: when its threads were in which phase; None: it was not made.
        moments: how far all threads are at the points; None: nothing says it.
    """

    name: str
    profile: Profile | None
    points: Points | None = None
    phases: Phases | None = None
    all_points: Points | None = None
    coverage: float = 1.0
    instructions: int | None = None
    code: looppoint.Code | None = None
    trace: trace_json.Trace | None = None
    moments: threads_csv.Moments | None = None

    def vectors(self) -> Profile:
        """The profile.

        Raises:
            DataError: there is none.
        """
        if self.profile is None:
            raise DataError(
                f"{self.name} has no vectors",
                hint="import them, or profile the program, into its folder first",
            )
        return self.profile

    def picked(self) -> Points:
        """The points.

        Raises:
            DataError: none were picked.
        """
        if self.points is None:
            raise DataError(f"{self.name} has no points", hint="run `phasemark points` first")
        return self.points


@dataclass(frozen=True)
class Exported:
    """The files written, and what a user must know to use them."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def export(run: Exportable, target: str, folder: Path) -> Exported:
    """Write a run for another tool.

    Args:
        run: what to write.
        target: one of TARGETS.
        folder: where to; it exists.

    Raises:
        UsageError: there is no such target, or its format cannot say what the run holds.
        DataError: the run has no points.
        WorkError: a file cannot be written.
    """
    if target not in TARGETS:
        raise UsageError(
            f"phasemark does not export to {shown(target)}", hint=f"one of: {', '.join(TARGETS)}"
        )
    if run.profile is not None and target not in {*_WITHOUT_POINTS, "simpoint"}:
        run.profile.provenance.require_instructions(f"for {target}")
    exported = TARGETS[target](run, folder)
    notes: tuple[str, ...] = ()
    if target not in _WITHOUT_POINTS:
        notes = (*_coverage_note(run, target), *_tail_note(run), *_guard_note(run))
    return replace(exported, notes=(*exported.notes, *notes))


def _coverage_note(run: Exportable, target: str) -> tuple[str, ...]:
    """Weights sum to 1 over the points, whatever share of the run they stand for."""
    if run.points is None or run.points.coverage >= 1:
        return ()
    share = shares.written(run.points.coverage)
    if target == "simpoint" and run.all_points is not None:
        name = f"simpoints.lpt{run.coverage:g}"
        return (f"{name} stands for {share} of the run, and its weights are shares of that",)
    lost = (
        ""
        if target in _WITH_COVERAGE
        else f", which the format cannot say: read back with --coverage {share}"
    )
    return (f"the points stand for {share} of the run, and weights are shares of that{lost}",)


def _guard_note(run: Exportable) -> tuple[str, ...]:
    """Guards are simulated like any point, and no weighted sum counts them."""
    guards = 0 if run.points is None else int(run.points.is_guard.sum())
    if not guards:
        return ()
    return (
        f"{counted(guards, 'guard')} among the points with a weight of 0: simulate them, too; "
        "`phasemark estimate` tells from them how far the others are off",
    )


def _tail_note(run: Exportable) -> tuple[str, ...]:
    """Tools that take every point to be as long as an interval run on beyond the end of a tail."""
    if run.profile is None or run.points is None:
        return ()  # which points are shorter than others is not known
    tails = run.points.tails_in_words(run.profile.interval_table)
    return (f"simulate tails to their end and no further: {tails}",) if tails else ()


def _simpoint(run: Exportable, folder: Path) -> Exported:
    points = run.picked()
    intervals = None if run.profile is None else run.profile.interval_table
    everything = points if run.all_points is None else run.all_points
    files = simpoint_files.write(folder, intervals, run.phases, everything)
    if run.all_points is not None:
        files += simpoint_files.write_covered(folder, intervals, points, run.coverage)
    several = len({suffix for suffix, *_ in simpoint_files.per_thread(intervals, points)}) > 1
    notes = ["a pair of files for each thread; their weights sum to 1 over all of them"] if several else []
    if run.phases is None:
        notes.append("without phases there are no labels")
    if _follows_program(run):
        notes.append(
            "intervals have no one length, and the files only number them: points.csv says where each begins"
        )
    return Exported(files, (*notes, *_numbers_note(points)))


def _gem5(run: Exportable, folder: Path) -> Exported:
    points = run.picked()
    _require_one_thread(points, "gem5's SimPoints are of one thread, and these points of several")
    files = (folder / "simpoints", folder / "weights")
    interval = _length(points) if run.profile is None else run.profile.provenance.interval
    if interval is None:
        raise UsageError(
            "gem5 takes interval i to start at i x length, and these intervals have no one length",
            hint=_ANY_LENGTH,
        )
    points, renumbered = _by_place(points, interval)
    simpoint_files.write_simpoints(files[0], points)
    simpoint_files.write_weights(files[1], points)
    warmup = int(points.warmup.max(initial=0))
    off = int(np.abs(points.start - points.interval * interval).max(initial=0))
    drift = (f"gem5 starts interval i at i x {interval:,}, the points start at most {off:,} off that",)
    use = f"--take-simpoint-checkpoint={files[0].name},{files[1].name},{interval},{warmup}"
    return Exported(
        files,
        (
            f"gem5 reads the two line by line; use them with {use}",
            *(drift if off else ()),
            *renumbered,
            *_numbers_note(points),
        ),
    )


def _require_one_thread(points: Points, what: str) -> None:
    if len(np.unique(np.stack([points.run, points.thread]), axis=1).T) > 1:
        raise UsageError(what, hint="export to threads, which says where each thread comes to its points")


def _by_place(points: Points, interval: int | None) -> tuple[Points, tuple[str, ...]]:
    """For who takes interval i to start at i x N: points numbered so, where their number is N or more off.

    So it is where a tool left out slices, or began each interval anew a little late.
    """
    off = np.abs(points.start - points.interval * interval) if interval else np.zeros(1)
    if not interval or off.max(initial=0) < interval:
        return points, ()
    numbers = np.rint(points.start / interval).astype(np.int64)
    keys = np.stack([points.run, points.thread, numbers])
    if np.unique(keys, axis=1).shape[1] < len(points):
        return points, ()
    note = f"numbers are those of the intervals of {interval:,} that points start in, not those of points.csv"
    return replace(points, interval=numbers), (note,)


def _length(points: Points) -> int | None:
    """Of the intervals, where all points start at their number x one length; else None."""
    if not len(points):
        return None
    length = int((points.end - points.start).max())
    return length if (points.start == points.interval * length).all() else None


def _numbers_note(points: Points) -> tuple[str, ...]:
    if not simpoint_files.several_per_phase(points):
        return ()
    return ("a phase has several points: the second column numbers the points; points.csv says their phases",)


def _pinpoints(run: Exportable, folder: Path) -> Exported:
    path = folder / f"{run.name}.pinpoints.csv"
    pinpoints_csv.write(path, run.picked())
    warmup = ("warm-up is not part of a region: give it to the logger",) if run.picked().warmup.any() else ()
    return Exported((path,), warmup)


def _nemu(run: Exportable, folder: Path) -> Exported:
    path = folder / "simpoint_summary.json"
    instructions = run.instructions if run.profile is None else run.profile.instructions
    if instructions is None:
        raise DataError(
            f"nothing says how many instructions {run.name} ran",
            hint="import the metrics of the whole run into its folder first: phasemark import --metrics",
        )
    interval = None if run.profile is None else run.profile.provenance.interval
    if _follows_program(run):
        raise UsageError(
            "NEMU takes interval i to start at i x length, and these intervals have no one length",
            hint=_ANY_LENGTH,
        )
    points, renumbered = _by_place(run.picked(), interval)
    nemu_summary.write(path, points, workload=run.name, instructions=instructions)
    return Exported((path,), renumbered)


def _champsim(run: Exportable, folder: Path) -> Exported:
    path = folder / "champsim.csv"
    champsim.write(path, run.picked(), made_by={"command": "export", "to": "champsim"})
    return Exported((path,))


def _looppoint(run: Exportable, folder: Path) -> Exported:
    points, profile = run.picked(), run.vectors()
    found = looppoint.regions(profile, points, run.code)
    files = [folder / f"{run.name}.global.pinpoints.csv"]
    looppoint_csv.write(files[0], found, coverage=points.coverage, instructions=profile.instructions)
    notes = looppoint.notes(found)
    images = sorted({place.image for region in found for place in (region.start, region.end)})
    if len(images) == 1:
        files.append(folder / "looppoint.json")
        looppoint_json.write(files[1], found)
    else:
        notes += (
            f"no JSON for gem5: an address alone does not tell {' from '.join(images)}; link the program "
            "statically",
        )
    return Exported(tuple(files), notes)


def _markers(run: Exportable, folder: Path) -> Exported:
    path = folder / "markers.csv"
    markers_csv.write(path, run.vectors(), run.picked(), run.code)
    return Exported((path,))


def _threads(run: Exportable, folder: Path) -> Exported:
    path, points = folder / "threads.csv", run.picked()
    threads_csv.write(path, points, run.moments, run.profile, run.code)
    of = points if run.profile is None else run.profile.interval_table
    several = len(np.unique(np.stack([of.run, of.thread]), axis=1).T) > 1
    if run.moments is None and (several or run.profile is None):
        sniper = "nothing says when the threads ran, so what Sniper counts, instructions of all, is left out"
    else:
        sniper = "Sniper: --roi-script --no-cache-warming -s roi-icount:SNIPER, with a point's column sniper"
        sniper += "; it counts all threads, which are taken to be equally fast" if several else ""
    gem5 = "gem5, a CPU for each thread: cpu[THREAD].scheduleInstStop(0, START, ...) ends a simulation there"
    cores = ("take the statistics of the core that the point's thread is on",) if several else ()
    return Exported((path,), (gem5, sniper, *cores))


def _follows_program(run: Exportable) -> bool:
    """Whether intervals are as long as the program's structure has them."""
    return run.profile is not None and bool((run.profile.interval_table.kind == _VARIABLE).any())


def _vectors(run: Exportable, folder: Path) -> Exported:
    return Exported(simpoint_text.write(run.vectors(), folder / "vectors.bb.gz"), _gap_note(run.vectors()))


def _gap_note(profile: Profile) -> tuple[str, ...]:
    gap = int(profile.interval_table.gaps().sum())
    return (f"the format does not say that {gap:,} instructions lie between intervals",) if gap else ()


def _exp_bbv(run: Exportable, folder: Path) -> Exported:
    return Exported(exp_bbv.write(run.vectors(), folder / "bb.out"), _gap_note(run.vectors()))


def _trace(run: Exportable, folder: Path) -> Exported:
    if run.trace is None:
        raise DataError(f"{run.name} has no phases", hint="run `phasemark phases` first")
    path = folder / f"{run.name}.trace.json"
    trace_json.write(path, run.trace)
    clock = run.trace.timeline.clock
    return Exported((path,), (f"1 ns in the viewer is one tick of the clock: {clock}",))


#: Name -> writer.
TARGETS: dict[str, Callable[[Exportable, Path], Exported]] = {
    "simpoint": _simpoint,
    "gem5": _gem5,
    "pinpoints": _pinpoints,
    "nemu": _nemu,
    "champsim": _champsim,
    "looppoint": _looppoint,
    "markers": _markers,
    "bb": _vectors,
    "exp-bbv": _exp_bbv,
    "threads": _threads,
    "trace": _trace,
}

#: Targets whose files say what share of the run the points stand for.
_WITH_COVERAGE = ("champsim", "looppoint", "markers", "pinpoints", "threads")

#: Targets that take no points.
_WITHOUT_POINTS = ("bb", "exp-bbv", "trace")
