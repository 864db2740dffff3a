"""Phase markers: the calls and loops with which the intervals of a phase begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError
from phasemark.intervals.counting import AnyTrace, listed
from phasemark.model import SITE_KINDS, Intervals, Phases, Profile, Sites, _show
from phasemark.model._check import Value, column, put, require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class PhaseMarkers(Value):
    """With which events the intervals of each phase begin; by phase, the most telling marker first.

    Attributes:
        sites: where the events happen.
        phase: int32, one a marker.
        site: row of `sites`, int32.
        intervals: of the phase that begin there, int64.
        of_intervals: their share of the phase's intervals, 0 to 1.
        of_instructions: their share of the phase's instructions.
        of_events: the share of the site's events, wherever they are, with which an interval of the phase
            begins; NaN where it is not known how often the site's event happens.
        phases: how many phases there are; of one that has no marker there is no row.

    Raises:
        DataError: a phase or site that is not there, or columns of other lengths.
    """

    sites: Sites
    phase: NDArray[np.int32]
    site: NDArray[np.int32]
    intervals: NDArray[np.int64]
    of_intervals: NDArray[np.float64]
    of_instructions: NDArray[np.float64]
    of_events: NDArray[np.float64]
    phases: int

    def __post_init__(self) -> None:
        n = len(self.phase)
        for name in ("phase", "site"):
            put(self, name, column(name, getattr(self, name), np.int32, n))
        put(self, "intervals", column("intervals", self.intervals, np.int64, n))
        for name in ("of_intervals", "of_instructions", "of_events"):
            put(self, name, column(name, getattr(self, name), np.float64, n))
        require((self.phase >= 0) & (self.phase < self.phases), "a marker is of a phase that is not there")
        require((self.site >= 0) & (self.site < len(self.sites)), "a marker is at a site that is not there")

    def __len__(self) -> int:
        return len(self.phase)

    @property
    def names(self) -> tuple[str, ...]:
        """What a person may call each phase, after its first marker; empty where it has none."""
        sites = [int(self.site[row]) if row >= 0 else -1 for row in self.first.tolist()]
        return tuple(site_name(self.sites, site) if site >= 0 else "" for site in sites)

    @property
    def first(self) -> NDArray[np.int64]:
        """The row of each phase's first marker, int64; -1 where it has none."""
        rows = np.full(self.phases, -1, np.int64)
        rows[self.phase[::-1]] = np.arange(len(self))[::-1]
        return rows

    def frame(self) -> pd.DataFrame:
        """A table with columns phase, kind, name, intervals, of_intervals, of_instructions, of_events."""
        import pandas as pd

        kind = pd.Categorical.from_codes(self.sites.kind[self.site], categories=list(SITE_KINDS))
        names = [site_name(self.sites, site) for site in self.site.tolist()]
        shares = {name: getattr(self, name) for name in ("of_intervals", "of_instructions", "of_events")}
        columns = {"phase": self.phase, "kind": kind, "name": names, "intervals": self.intervals}
        return pd.DataFrame({**columns, **shares})

    def __repr__(self) -> str:
        return _show.line(self, phases=self.phases, markers=len(self))

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def markers_of(profile: Profile, phases: Phases) -> PhaseMarkers | None:
    """The markers of a run's phases, as its profile tells them; None where it does not.

    Args:
        profile: of intervals of variable length.
        phases: found in it.

    Raises:
        DataError: the phases are of another profile.
    """
    markers, sites, events = profile.markers, profile.sites, profile.events
    if markers is None or markers.site is None or sites is None or events is None:
        return None
    return phase_markers(profile.interval_table, phases.labels, markers.site, sites, events.column_sums())


def phase_markers(
    intervals: Intervals,
    labels: ArrayLike,
    starts: ArrayLike,
    sites: Sites,
    happened: ArrayLike | None = None,
) -> PhaseMarkers:
    """With which events the intervals of each phase begin, and how reliably.

    The most telling marker of a phase is the one with the highest harmonic mean of two shares: of the
    phase's instructions that are in intervals which begin with it, and of its events with which such an
    interval begins.

    Args:
        intervals: of the run.
        labels: the phase of each, from 0.
        starts: the site of the event with which each begins, a row of `sites`; -1: with none
            (`starting_sites`).
        sites: of the run, named as far as names are known.
        happened: how often the event of each site happens in the whole run (`Counts.column_sums` of
            `count_events`); None: not known, and the first share alone counts.

    Raises:
        DataError: labels or starts of another number of intervals, or a site that is not there.
    """
    label = column("labels", labels, np.int32, len(intervals))
    start = column("starts", starts, np.int32, len(intervals))
    require(label >= 0, "an interval has no phase")
    require((start >= -1) & (start < len(sites)), "an interval begins at a site that is not there")
    phases, columns = int(label.max(initial=-1)) + 1, len(sites)
    some = start >= 0
    keys, of = np.unique(label[some].astype(np.int64) * columns + start[some], return_inverse=True)
    phase, site = (keys // columns, keys % columns) if columns else (keys, keys)
    count = np.bincount(of, minlength=len(keys))
    instructions = np.bincount(of, intervals.length[some], len(keys))
    of_intervals = count / np.maximum(np.bincount(label, minlength=phases), 1)[phase]
    of_instructions = instructions / np.maximum(np.bincount(label, intervals.length, phases), 1)[phase]
    of_events = np.full(len(keys), np.nan)
    if happened is not None:
        often = column("happened", happened, np.int64, columns)[site]
        of_events = count / np.maximum(often, count)
    telling = of_instructions if happened is None else _harmonic(of_instructions, of_events)
    order = np.lexsort((site, -telling, phase))
    return PhaseMarkers(
        *(sites, phase[order], site[order], count[order]),
        *(of_intervals[order], of_instructions[order], of_events[order], phases),
    )


def starting_sites(trace: AnyTrace | Iterable[AnyTrace], intervals: Intervals) -> NDArray[np.int32]:
    """The site of the event that ends where each interval begins, int32; -1 where none does.

    Args:
        trace: of one thread, or those of all threads that have intervals; read once, a stretch at a time.
        intervals: of these threads.

    Raises:
        DataError: a thread with intervals has no trace, or two traces are of different sites.
    """
    starts = np.full(len(intervals), -1, np.int32)
    traces = {(one.run, one.thread): one for one in listed(trace)}
    first = np.flatnonzero(intervals.first_of_thread())
    for begin, end in zip(first.tolist(), np.append(first[1:], len(intervals)).tolist(), strict=False):
        key = int(intervals.run[begin]), int(intervals.thread[begin])
        if key not in traces:
            raise DataError(f"no trace of thread {key[1]} of run {key[0]}", row=begin)
        for symbol, _, position in traces[key].chunks():
            at = np.searchsorted(intervals.start[begin:end], position)
            known = at < end - begin
            known[known] = intervals.start[begin + at[known]] == position[known]
            starts[begin + at[known]] = symbol[known]
    return starts


def site_name(sites: Sites, row: int, shorter: Callable[[str], str] | None = None) -> str:
    """What a person calls the place where an event leads: `compress, gzip.c:214`.

    Of a call the function that is called, else that in which the branch is, with the branch's line;
    where no name is known, the kind and the offset.
    """
    kind = SITE_KINDS[int(sites.kind[row])]
    function = _function(sites, row)
    if not function:
        return sites.name(row)
    file = sites.file[row] if sites.file is not None else ""
    line = int(sites.line[row]) if sites.line is not None else 0
    place = f", {PurePosixPath(file).name}:{line}" if file and line else ""
    shown = function if shorter is None else shorter(function)
    return f"{'after ' if kind == 'return' else ''}{shown}{place}"


def function_name(sites: Sites, row: int) -> str:
    """Of a call the function that is called, else that in which the branch is; without a name, its place."""
    return _function(sites, row) or sites.name(row)


def _function(sites: Sites, row: int) -> str:
    if SITE_KINDS[int(sites.kind[row])] == "call" and sites.callee is not None and sites.callee[row]:
        return sites.callee[row]
    return sites.function[row] if sites.function is not None else ""


def event_name(sites: Sites, row: int, shorter: Callable[[str], str] | None = None) -> str:
    """What a person calls the event: `call of compress, gzip.c:214`, `loop in main, gzip.c:90`.

    A loop whose line is not known is called by where its branch is: `loop in gzip:0x4290 at 0x43a8`.

    Args:
        sites: of the run.
        row: of the event.
        shorter: gives the name of a function in the room that there is for it; None: it is written whole.
    """
    name, kind = site_name(sites, row, shorter), SITE_KINDS[int(sites.kind[row])]
    if kind == "return" or name == sites.name(row):
        return name
    if kind == "call":
        return f"call of {name}"
    known = sites.line is not None and sites.line[row]
    return f"loop in {name}" if known else f"loop in {name} at {int(sites.offset[row]):#x}"


def _harmonic(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(2 * one * other / np.maximum(one + other, np.finfo(np.float64).tiny))
