"""Where a run is to be cut into intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from phasemark.collect.stream import families
from phasemark.collect.stream.contents import Ints
from phasemark.errors import DataError
from phasemark.model import KINDS, Events, Intervals, Sites

_TAIL = KINDS.index("tail")


@dataclass(frozen=True, eq=False)
class Cuts:
    """The intervals that a run is cut into, and the event that each follows.

    Attributes:
        intervals: n intervals of one run; those of a thread follow one another from instruction 0.
        sites: of the events; None: of no boundary it is known which event it follows.
        site: row of `sites` of the event that ends where the interval starts, n int64; -1: not known, as of
            the first of a thread.
        build_ids: of the modules when the intervals were found, by name.
        families: who created which threads, as a profile's provenance has it (`details["families"]`); None:
            thread 0 did.

    Raises:
        DataError: intervals of several runs, or that leave gaps or are empty; names the row.
    """

    intervals: Intervals
    sites: Sites | None = None
    site: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    build_ids: Mapping[str, str] = field(default_factory=dict)
    families: Any = None

    def __post_init__(self) -> None:
        table = self.intervals
        if len(np.unique(table.run)) > 1:
            raise DataError("intervals of several runs", hint="cut one run at a time")
        if (bad := (table.gaps() > 0) | (table.length == 0)).any():
            raise DataError(
                "an interval is empty, or does not start where the one ahead of it ends",
                row=int(np.argmax(bad)),
            )
        site = np.full(len(table), -1) if self.sites is None else np.asarray(self.site, np.int64)
        if len(site) != len(table):
            raise DataError(f"{len(site):,} sites of boundaries for {len(table):,} intervals")
        object.__setattr__(self, "site", site)

    @classmethod
    def after(
        cls,
        intervals: Intervals,
        events: Iterable[Events],
        build_ids: Mapping[str, str] | None = None,
        of_threads: Any = None,
    ) -> Cuts:
        """The intervals, each after the event of its thread that ends where it starts, if one does.

        Args:
            intervals: as above.
            events: of the run's threads; their sites are the same.
            build_ids, of_threads: as above, `of_threads` for `families`.
        """
        site, sites = np.full(len(intervals), -1), None
        for trace in events:
            sites = trace.sites
            rows = np.flatnonzero((intervals.thread == trace.thread) & (intervals.start > 0))
            if not len(trace) or not len(rows):
                continue
            at = np.searchsorted(trace.position, intervals.start[rows])
            at = np.minimum(at, len(trace) - 1)
            there = trace.position[at] == intervals.start[rows]
            site[rows[there]] = trace.symbol[at[there]]
        return cls(intervals, sites, site, build_ids or {}, of_threads)

    @property
    def boundaries(self) -> Ints:
        """Rows of the intervals that begin at a cut: all but the first of each thread."""
        return np.flatnonzero(self.intervals.start > 0)

    def lines(self, *, ends: bool = False) -> str:
        """As the collector reads them: `thread position`; with `ends`, those of the last intervals, too."""
        table, rows = self.intervals, self.boundaries
        pairs = list(zip(table.thread[rows].tolist(), table.start[rows].tolist(), strict=True))
        if ends:
            last = np.append(table.first_of_thread()[1:], True)
            end = table.start + table.length
            pairs = sorted([*pairs, *zip(table.thread[last].tolist(), end[last].tolist(), strict=True)])
        return families.lines(self.families) + "".join(f"{t} {position}\n" for t, position in pairs)

    def kinds_for(self, recorded: Intervals) -> Intervals:
        """The intervals that were recorded, of the kinds that were asked for.

        One that was cut short is a tail: less than half of it ran, or others were to follow. So is all of a
        thread that was not there before. A last interval may lack a little: no two runs are quite alike.
        """
        asked = self.intervals
        at = _rows_of(asked, recorded)
        is_last = np.append(asked.first_of_thread()[1:], True)
        enough = np.where(is_last, asked.length // 2, asked.length)
        whole = (at >= 0) & (recorded.length >= enough[at])
        return replace(recorded, kind=np.where(whole, asked.kind[at], _TAIL).astype(np.int8))

    def sites_for(self, recorded: Intervals) -> Ints:
        """The site of the event with which each recorded interval begins; -1: with none."""
        at = _rows_of(self.intervals, recorded)
        return np.where(at >= 0, self.site[at], -1)


def _rows_of(asked: Intervals, recorded: Intervals) -> Ints:
    """The row of the intervals asked for with which each recorded one begins; -1: none does."""
    rows = {key: row for row, key in enumerate(zip(asked.thread.tolist(), asked.start.tolist(), strict=True))}
    keys = zip(recorded.thread.tolist(), recorded.start.tolist(), strict=True)
    return np.array([rows.get(key, -1) for key in keys], np.int64)
