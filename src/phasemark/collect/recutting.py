"""Running a program once more, cut into given intervals."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.again import Again, run_again
from phasemark.collect.boundaries import Boundaries
from phasemark.collect.cuts import Cuts
from phasemark.collect.ending import Until
from phasemark.collect.engines.registry import CUTTING_COLLECTORS, TIMING_COLLECTORS
from phasemark.collect.process_tree import Image
from phasemark.collect.request import Request
from phasemark.collect.watching import Headway
from phasemark.errors import UsageError, counted, named
from phasemark.model import Intervals, Markers, Metrics, Profile
from phasemark.symbols import rebuilt

Table = TypeVar("Table", Intervals, Markers)


@dataclass(frozen=True, eq=False)
class Recut:
    """A program's run, cut into the intervals asked for.

    Attributes:
        profile: its vectors; an interval is of the kind asked for, or a `tail` where the thread ended early.
            It has markers, and says when each interval began.
        boundaries: whether they were found again.
        metrics: what the timing model counted in each interval; None where it was off.
        images: all process images, in the order in which they began.
        analysed: the one that was cut.
        status: the program's exit status as a shell tells it.
        cpu_seconds: of the program under its collector, with its children.
        interrupted: whether a signal ended the program, or was sent to end it.
        warnings: what the user should know, one sentence each; the profile's are among them.
    """

    profile: Profile
    boundaries: Boundaries
    metrics: Metrics | None
    images: tuple[Image, ...]
    analysed: Image
    status: int
    cpu_seconds: float
    interrupted: bool
    warnings: tuple[str, ...]


def recut(
    request: Request,
    cuts: Cuts,
    *,
    progress: Callable[[Headway], None] | None = None,
    within: Path | None = None,
    until: Until | None = None,
) -> Recut:
    """Run a program once more, and cut it into intervals that were found in an earlier run.

    Args:
        request: what to run, as before; its interval length does not matter.
        cuts: the intervals.
        progress: called about twice a second while the program runs.
        within: the folder for what is recorded meanwhile; None: the system's for temporary files.
        until: where the program is ended, which would not end by itself; what it executes beyond the last
            interval of each thread is left out. None: it ends by itself.

    Raises:
        UsageError: the collector cannot cut at given places.
        MissingTool: the collector is not on this machine.
        CollectorError: the program cannot be run, nothing was recorded, or no process is the one asked for.
        WorkError: the folder that it is to start in is not there.
    """
    if request.collector not in CUTTING_COLLECTORS:
        raise UsageError(
            f"{request.collector} cannot cut a run at given places",
            hint=f"record with one that can: --collector {' or '.join(CUTTING_COLLECTORS)}",
        )
    collector = CUTTING_COLLECTORS[request.collector]
    job = dataclasses.replace(request.job, cuts=cuts.lines(ends=until is not None), events=False)
    with run_again(
        collector,
        job,
        process=request.process,
        stdin=request.stdin,
        progress=progress,
        within=within,
        until=until,
    ) as again:
        profile = collector.profile(again.analysed, request.interval)
        if until is not None:
            profile = _within(profile, cuts)
        boundaries = collector.boundaries(again.analysed, cuts)
        table = cuts.kinds_for(profile.interval_table)
        metrics = None
        if request.timing is not None:
            end = table.start + table.length
            timing = TIMING_COLLECTORS[request.collector]
            metrics, _ = timing.metrics(again.analysed, table.thread, table.index, table.start, end)
    warnings = tuple(dict.fromkeys([*_said(cuts, profile, boundaries, again, until), *again.warnings]))
    profile = dataclasses.replace(
        profile, interval_table=table, provenance=profile.provenance.warn(*warnings)
    )
    return Recut(
        profile,
        boundaries,
        metrics,
        again.images,
        again.analysed,
        again.status,
        again.cpu_seconds,
        again.interrupted,
        profile.provenance.warnings,
    )


def _within(profile: Profile, cuts: Cuts) -> Profile:
    """The profile without what each thread executed beyond its last interval, and without other threads."""
    table, asked = profile.interval_table, cuts.intervals
    ends = dict(zip(asked.thread.tolist(), (asked.start + asked.length).tolist(), strict=True))
    kept = np.array(
        [
            start < ends.get(thread, 0)
            for thread, start in zip(table.thread.tolist(), table.start.tolist(), strict=True)
        ]
    )
    if kept.all():
        return profile
    rows = np.flatnonzero(kept)
    return dataclasses.replace(
        profile,
        interval_table=_rows(table, rows),
        vectors=profile.vectors.select(rows),
        markers=None if profile.markers is None else _rows(profile.markers, rows),
        reuse=None if profile.reuse is None else profile.reuse.select(rows),
    )


def _rows(table: Table, rows: NDArray[np.int64]) -> Table:
    """Some rows of a table of columns."""
    columns = {name: column[rows] for name, column in vars(table).items() if column is not None}
    return dataclasses.replace(table, **columns)


def _said(
    cuts: Cuts, profile: Profile, boundaries: Boundaries, again: Again, until: Until | None
) -> Iterable[str]:
    now = profile.provenance.details.get("build_ids", {})
    if changed := rebuilt(cuts.build_ids, now):
        yield (
            f"the code of {named(changed)} is not what it was when the intervals were found: they end after "
            "as many instructions as then, which are other places in it"
        )
    if boundaries.found + boundaries.unchecked < boundaries.asked:
        yield (
            f"{boundaries}; intervals there begin and end elsewhere than in the events they were made from: "
            "most likely what the program does depends on random seeds (for Python, set PYTHONHASHSEED=0), "
            "addresses, the time or the order of its threads, or else on files that it made itself"
        )
    yield from _lengths(cuts, profile)
    if not again.analysed.ended and until is None:
        yield f"{again.analysed.program} was killed; its intervals end there"


def _lengths(cuts: Cuts, profile: Profile) -> Iterable[str]:
    """Threads that ran longer or shorter than when the intervals were found."""
    lengths = []
    for table in (cuts.intervals, profile.interval_table):
        most = int(table.thread.max(initial=-1)) + 1
        sums = np.zeros(most, np.int64)
        np.add.at(sums, table.thread, table.length)
        lengths.append(sums)
    most = max(map(len, lengths))
    before, now = (np.pad(sums, (0, most - len(sums))) for sums in lengths)
    if len(other := np.flatnonzero(before != now)):
        first = int(other[0])
        yield (
            f"{counted(len(other), 'thread')} executed other numbers of instructions than when the intervals "
            f"were found, the first thread {first}: {now[first]:,} instead of {before[first]:,}"
        )
