"""Profile: which code each interval of a run executed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from phasemark.errors import DataError, counted
from phasemark.model import _show
from phasemark.model._check import require
from phasemark.model.blocks import Blocks
from phasemark.model.counts import Counts
from phasemark.model.intervals import Intervals
from phasemark.model.markers import Markers
from phasemark.model.provenance import INSTRUCTIONS, Provenance
from phasemark.model.reuse import Reuse
from phasemark.model.sites import Sites
from phasemark.model.threads import Threads

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A program run as intervals x blocks.

    The tables are held as arrays (`block_table`, `interval_table`, `vectors`), which phasemark itself
    uses; `blocks`, `intervals` and `counts` show them as pandas frames and a SciPy matrix.

    Attributes:
        block_table: the static code.
        interval_table: the intervals, ordered by run, thread, index.
        vectors: what was counted, intervals x blocks, in the provenance's unit; rows in the order of
            interval_table. Of a large run they are `StreamedCounts`: `vectors.rows()` gives some at a time.
        provenance: what recorded it.
        sites, events: a second signature: where the program loops, calls and returns, and how often each
            interval did, intervals x sites; both None where that was not recorded.
        markers: with which block, and with which site's event, each interval begins; None where that was not
            recorded.
        threads: which process each thread is of; None where all are of one.
        reuse: how long ago the memory of each interval was used; None where that was not recorded.

    Raises:
        DataError: shapes differ, a thread is of no process, a marker names a block or site that is not there,
            or instructions were counted and a row does not sum to its interval's length.
    """

    block_table: Blocks
    interval_table: Intervals
    vectors: Counts
    provenance: Provenance
    sites: Sites | None = None
    events: Counts | None = None
    markers: Markers | None = None
    threads: Threads | None = None
    reuse: Reuse | None = None

    def __post_init__(self) -> None:
        if len(self.vectors) != len(self.interval_table):
            raise DataError(f"{len(self.vectors):,} vectors for {len(self.interval_table):,} intervals")
        if self.vectors.columns != len(self.block_table):
            raise DataError(
                f"vectors over {self.vectors.columns:,} blocks, but {len(self.block_table):,} blocks"
            )
        if self.reuse is not None and len(self.reuse) != len(self.interval_table):
            raise DataError(f"reuse of {len(self.reuse):,} intervals for {len(self.interval_table):,}")
        self._check_events()
        self._check_markers()
        if self.threads is not None:
            self.threads.require_all(self.interval_table)
        if self.provenance.unit == INSTRUCTIONS:
            self.vectors.require_sums(self.interval_table.length)

    def _check_events(self) -> None:
        if self.sites is None or self.events is None:
            if self.sites is not None or self.events is not None:
                raise DataError("sites and counts of their events go together")
            return
        if len(self.events) != len(self.interval_table) or self.events.columns != len(self.sites):
            raise DataError(
                f"events of {counted(len(self.events), 'interval')} over {self.events.columns} sites, but "
                f"{counted(len(self.interval_table), 'interval')} and {len(self.sites)} sites"
            )

    def _check_markers(self) -> None:
        if self.markers is None:
            return
        if len(self.markers) != len(self.interval_table):
            raise DataError(f"{len(self.markers):,} markers for {len(self.interval_table):,} intervals")
        require(self.markers.block < len(self.block_table), "a marker names a block that is not there")
        if self.markers.site is not None:
            sites = 0 if self.sites is None else len(self.sites)
            require(self.markers.site < sites, "a marker names a site that is not there")

    @cached_property
    def blocks(self) -> pd.DataFrame:
        """Blocks as a pandas frame, one row a block."""
        return self.block_table.frame()

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Intervals as a pandas frame: run, thread, index, start, length, kind, and began where known."""
        return self.interval_table.frame()

    @cached_property
    def counts(self) -> csr_matrix:
        """What was counted, intervals x blocks, scipy.sparse CSR of int64."""
        return self.vectors.to_scipy()

    @property
    def instructions(self) -> int:
        """Instructions of all threads."""
        return int(np.sum(self.interval_table.length))

    def __repr__(self) -> str:
        return (
            f"<Profile: {self.provenance.length_in_words(self.instructions)}, "
            f"{counted(len(self.interval_table), 'interval')}, "
            f"{counted(len(self.block_table), 'block')}, recorded by {self.provenance.tool}>"
        )

    def _repr_html_(self) -> str:
        return _show.table(self, self.intervals)
