"""Hierarchy: intervals within intervals, of which one cut is a run's Intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError
from phasemark.model import _show
from phasemark.model._check import Value, column, put, require
from phasemark.model._selecting import changes, numbered, select
from phasemark.model.intervals import KINDS, Intervals
from phasemark.model.options import require_given, require_whole
from phasemark.model.phases import Phases

if TYPE_CHECKING:
    import pandas as pd

_DTYPES = {
    "run": np.int32,
    "thread": np.int32,
    "level": np.int32,
    "parent": np.int64,
    "start": np.int64,
    "end": np.int64,
    "kind": np.int8,
}


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy(Value):
    """Trees over the instructions of threads: each node a stretch that its children tile.

    Rows are ordered by run, thread, level and start, of two that start together the longer first. The nodes
    without a parent tile each thread from instruction 0.

    The trees are cut in `depth` ways, the levels, 0 the coarsest. A node is of the level from which on it
    is cut off by itself: it belongs to the cut of that level, and of finer ones until its children do. So a
    node that no level unites with its neighbours stands in one row, whatever the number of levels. Children
    of one parent are of one level, the parent's or a finer one. A node with children of its own level
    is in no level's cut: it lies between two levels (a rule of a grammar). Nodes of level `depth` are parts
    of leaves, the nodes of the finest level.

    Attributes:
        run, thread: of each node, int32, as in Intervals.
        level: int32, from 0 (no node without a parent has another one) to `depth`.
        parent: the row of the parent, int64; -1 of a node that has none.
        start, end: instructions of the thread, half-open [start, end), int64.
        kind: index into KINDS, int8; `variable` unless told otherwise.
        depth: how many levels there are; None, when the value is made: as many as there are nodes of.
        phases: of each level, the phases that its cut's intervals were found to be in; empty: not known.

    Raises:
        DataError: rows out of order, an empty node, children that do not tile their parent, nodes without
            a parent that do not tile their thread, or phases of another number of levels or intervals;
            names the row.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    level: NDArray[np.int32]
    parent: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    kind: NDArray[np.int8] = None  # type: ignore[assignment]  # `variable` for each node
    depth: int = None  # type: ignore[assignment]
    phases: tuple[Phases, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.start)
        if self.kind is None:
            put(self, "kind", np.full(n, KINDS.index("variable"), np.int8))  # type: ignore[unreachable]
        for name, dtype in _DTYPES.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        put(self, "depth", int(self.level.max(initial=-1)) + 1 if self.depth is None else int(self.depth))
        put(self, "phases", tuple(self.phases))
        self._check()

    def _check(self) -> None:
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require((self.kind >= 0) & (self.kind < len(KINDS)), "a node is of an unknown kind")
        require(self.end > self.start, "a node has no instruction")
        require((self.level >= 0) & (self.parent >= -1), "a level, or the row of a parent, is negative")
        require(self.level <= self.depth, "a node is of a level that is not there")
        self._check_order()
        self._check_parents()
        self._check_tiling()
        self._check_phases()

    def _check_order(self) -> None:
        ascending, same = np.ones(max(len(self) - 1, 0), np.bool_), np.ones(max(len(self) - 1, 0), np.bool_)
        for key in (self.run, self.thread, self.level, self.start, -self.end):
            ascending &= ~same | (key[1:] >= key[:-1])
            same &= key[1:] == key[:-1]
        good = np.concatenate(([True], ascending))[: len(self)]
        require(good, "the rows are not ordered by run, thread, level and start")

    def _check_parents(self) -> None:
        root = self.parent == -1
        require(self.parent < np.arange(len(self)), "a node's parent is not there, or not above it")
        require(~root | (self.level == 0), "a node of another level than 0 has no parent")
        own, parent = np.flatnonzero(~root), self.parent[~root]
        fits = np.ones(len(self), np.bool_)
        fits[own] = self.level[parent] <= self.level[own]
        for name in ("run", "thread"):
            fits[own] &= getattr(self, name)[parent] == getattr(self, name)[own]
        require(fits, "a node's parent is of another thread, or of a finer level")

    def _check_tiling(self) -> None:
        """Siblings lie one after the other, the first and the last where their parent begins and ends."""
        order = np.lexsort((self.start, self.parent, self.thread, self.run))
        parent, start, end = self.parent[order], self.start[order], self.end[order]
        first = changes(self.run[order], self.thread[order], parent)
        last = np.append(first[1:], True)[: len(self)]
        child = parent >= 0
        begin = np.where(child, self.start[parent], 0) if len(self) else start
        before = np.concatenate(([0], end[:-1]))[: len(self)]
        fits, reaches, alike = (np.ones(len(self), np.bool_) for _ in range(3))
        fits[order] = start == np.where(first, begin, before)
        require(fits, "a node does not start where its parent does, or the one before it ends")
        reaches[order] = ~(last & child) | (end == self.end[parent])
        require(reaches, "nodes do not reach their parent's end")
        level = self.level[order]
        alike[order[1:]] = first[1:] | (level[1:] == level[:-1])
        require(alike, "a node is of another level than its neighbours of the same parent")

    def _check_phases(self) -> None:
        if self.phases and len(self.phases) != self.depth:
            raise DataError(f"phases of {len(self.phases)} levels, but {self.depth} levels")
        for level, phases in enumerate(self.phases):
            if len(phases) != (n := len(self.rows(level))):
                raise DataError(f"phases of {len(phases):,} intervals, but {n:,} intervals on level {level}")

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def levels(self) -> tuple[Intervals, ...]:
        """The cut of each level, the coarsest first."""
        return tuple(self.cut(level) for level in range(self.depth))

    def cut(self, where: int | ArrayLike) -> Intervals:
        """One way to cut the run: nodes that tile each thread.

        Args:
            where: a level; or the rows of nodes.

        Returns:
            Intervals ordered by run, thread and start, numbered anew in each thread: a key (run, thread,
            index) is one of this cut, and means another interval in another one.

        Raises:
            UsageError: there is no such level or row.
            DataError: the rows do not tile each thread.
        """
        rows = self.rows(where) if np.ndim(where) == 0 else self._known(where)  # type: ignore[arg-type]
        rows = rows[np.lexsort((self.start[rows], self.thread[rows], self.run[rows]))]
        return self._cut_at(rows)

    def _cut_at(self, rows: NDArray[np.int64]) -> Intervals:
        run, thread, start, end = (getattr(self, name)[rows] for name in ("run", "thread", "start", "end"))
        intervals = Intervals(run, thread, numbered(run, thread), start, end - start, self.kind[rows])
        roots = self.parent == -1
        whole = _ends(self.run[roots], self.thread[roots], self.end[roots])
        require(intervals.gaps() == 0, "a node does not start where the one before it ends")
        if not np.array_equal(_ends(run, thread, end), whole):
            raise DataError("the nodes do not reach the end of each thread")
        return intervals

    def rows(self, level: int) -> NDArray[np.int64]:
        """The nodes of a level's cut: rows in the order of its intervals.

        Raises:
            UsageError: there is no such level.
        """
        require_given(level=level)
        require_whole(level=level)
        if not 0 <= level < self.depth:
            raise UsageError(f"there is no level {level}", hint=f"there are {self.depth}, from 0")
        reached = self.level <= level
        divided = np.zeros(len(self), np.bool_)
        divided[self.parent[reached & (self.parent >= 0)]] = True
        rows = np.flatnonzero(reached & ~divided)
        return rows[np.lexsort((self.start[rows], self.thread[rows], self.run[rows]))]

    def select(self, minimum: int, maximum: int, *, merge: bool = True, split: bool = True) -> Intervals:
        """The cut whose intervals have lengths between two bounds, as far as the trees allow it.

        "Variable-length intervals", section 8.3.1: from the top down, a node is divided if it is longer than
        `maximum`, or if none of its children is shorter than `minimum`. Leaves are not divided, so that some
        intervals may lie outside the bounds (`Intervals.outside` counts them); two passes, which the paper
        does not have, bring most of these within.

        Args:
            minimum, maximum: instructions.
            merge: join neighbours that are too short, first with one another, then with others, as long as
                together they are within `maximum`; where the trees divide them least, first.
            split: divide leaves that are too long into their parts.

        Returns:
            Intervals that tile each thread; of joined ones, the kind is the longest one's.

        Raises:
            UsageError: minimum is below 1, or above maximum.
        """
        return select(self, minimum, maximum, merge, split)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The phase of each node among those of its level, int32; -1 of one that is in no level's cut."""
        labels = np.full(len(self), -1, np.int32)
        for level in reversed(range(len(self.phases))):
            labels[self.rows(level)] = self.phases[level].labels
        return labels

    def of_levels(self) -> Hierarchy:
        """The same trees, of the nodes alone that are in a level's cut; a parent is the next one above."""
        divided = np.zeros(len(self), np.bool_)
        own = np.flatnonzero(self.parent >= 0)
        divided[self.parent[own][self.level[own] == self.level[self.parent[own]]]] = True
        kept = (self.level < self.depth) & ~divided
        parent = self.parent.copy()
        while (passing := own[~kept[parent[own]]]).size:
            parent[passing] = parent[parent[passing]]
            own = passing[parent[passing] >= 0]
        row = np.cumsum(kept) - 1
        parent = np.where(parent >= 0, row[parent], -1)
        columns = {name: getattr(self, name)[kept] for name in _DTYPES}
        return Hierarchy(**{**columns, "parent": parent[kept]}, depth=self.depth, phases=self.phases)

    def _known(self, rows: ArrayLike) -> NDArray[np.int64]:
        known: NDArray[np.int64] = column("rows", rows, np.int64)
        if ((known < 0) | (known >= len(self))).any():
            raise UsageError("there is no such node", hint=f"rows are 0 to {len(self) - 1}")
        return known

    def frame(self) -> pd.DataFrame:
        """A table with columns run, thread, level, parent, start, end, kind."""
        import pandas as pd

        names = list(_DTYPES)[:-1]
        kind = pd.Categorical.from_codes(self.kind, categories=list(KINDS))
        return pd.DataFrame({**{name: getattr(self, name) for name in names}, "kind": kind})

    def __repr__(self) -> str:
        return _show.line(self, nodes=len(self), levels=self.depth)

    def _repr_html_(self) -> str:
        return _show.table(self, self.frame())


def _ends(run: NDArray[np.int32], thread: NDArray[np.int32], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Run, thread and last end of each thread; rows are ordered by run, thread and end."""
    last = np.append(changes(run, thread)[1:], True)[: len(run)]
    return np.stack([run[last], thread[last], end[last]])
