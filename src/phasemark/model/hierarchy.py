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
from phasemark.model.intervals import KINDS, Intervals

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

    Rows are ordered by run, thread, level and start. The nodes of level 0, the coarsest, tile each thread
    from instruction 0; a node of the next level has its parent among those of this one.

    Attributes:
        run, thread: of each node, int32, as in Intervals.
        level: int32, from 0; a child's is its parent's + 1.
        parent: the row of the parent, int64; -1 on level 0.
        start, end: instructions of the thread, half-open [start, end), int64.
        kind: index into KINDS, int8; `variable` unless told otherwise.

    Raises:
        DataError: rows out of order, an empty node, children that do not tile their parent, or nodes of
            level 0 that do not tile their thread; names the row.
    """

    run: NDArray[np.int32]
    thread: NDArray[np.int32]
    level: NDArray[np.int32]
    parent: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    kind: NDArray[np.int8] = None  # type: ignore[assignment]  # `variable` for each node

    def __post_init__(self) -> None:
        n = len(self.start)
        if self.kind is None:
            put(self, "kind", np.full(n, KINDS.index("variable"), np.int8))  # type: ignore[unreachable]
        for name, dtype in _DTYPES.items():
            put(self, name, column(name, getattr(self, name), dtype, n))
        self._check()

    def _check(self) -> None:
        require((self.run >= 0) & (self.thread >= 0), "a run or thread number is negative")
        require((self.kind >= 0) & (self.kind < len(KINDS)), "a node is of an unknown kind")
        require(self.end > self.start, "a node has no instruction")
        self._check_order()
        self._check_parents()
        self._check_tiling()

    def _check_order(self) -> None:
        order = np.lexsort((self.start, self.level, self.thread, self.run))
        require(order == np.arange(len(self)), "the rows are not ordered by run, thread, level and start")

    def _check_parents(self) -> None:
        root = self.level == 0
        require((self.level >= 0) & (self.parent >= -1), "a level, or the row of a parent, is negative")
        require(root == (self.parent == -1), "a node of level 0 has a parent, or another one has none")
        require(self.parent < len(self), "a node's parent is not there")
        own, parent = np.flatnonzero(~root), self.parent[~root]
        fits = np.ones(len(self), np.bool_)
        fits[own] = self.level[parent] == self.level[own] - 1
        for name in ("run", "thread"):
            fits[own] &= getattr(self, name)[parent] == getattr(self, name)[own]
        require(fits, "a node's parent is of another thread, or not one level above")

    def _check_tiling(self) -> None:
        """Siblings lie one after the other, the first and the last where their parent begins and ends."""
        first = _changes(self.run, self.thread, self.level, self.parent)
        last = np.append(first[1:], True)[: len(self)]
        child = self.parent >= 0
        begin = np.where(child, self.start[self.parent], 0)
        before = np.concatenate(([0], self.end[:-1]))[: len(self)]
        message = "a node does not start where its parent does, or the one before it ends"
        require(self.start == np.where(first, begin, before), message)
        require(
            ~(last & child) | (self.end == self.end[self.parent]), "nodes do not reach their parent's end"
        )

    def __len__(self) -> int:
        return len(self.start)

    @property
    def depth(self) -> int:
        """How many levels there are."""
        return int(self.level.max(initial=-1)) + 1

    @cached_property
    def levels(self) -> tuple[Intervals, ...]:
        """The cut of each level, the coarsest first."""
        return tuple(self.cut(level) for level in range(self.depth))

    def cut(self, where: int | ArrayLike) -> Intervals:
        """One way to cut the run: nodes that tile each thread.

        Args:
            where: a level: its nodes, and those above that have no children; or the rows of nodes.

        Returns:
            Intervals ordered by run, thread and start, numbered anew in each thread: a key (run, thread,
            index) is one of this cut, and means another interval in another one.

        Raises:
            UsageError: there is no such level or row.
            DataError: the rows do not tile each thread.
        """
        rows = self._rows_of_level(int(where)) if np.ndim(where) == 0 else self._known(where)  # type: ignore[arg-type]
        rows = rows[np.lexsort((self.start[rows], self.thread[rows], self.run[rows]))]
        run, thread = self.run[rows], self.thread[rows]
        first = _changes(run, thread)
        index = np.arange(len(rows)) - np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
        start, end = self.start[rows], self.end[rows]
        intervals = Intervals(run, thread, index, start, end - start, self.kind[rows])
        roots = self.level == 0
        whole = _ends(self.run[roots], self.thread[roots], self.end[roots])
        require(intervals.gaps() == 0, "a node does not start where the one before it ends")
        if not np.array_equal(_ends(run, thread, end), whole):
            raise DataError("the nodes do not reach the end of each thread")
        return intervals

    def _rows_of_level(self, level: int) -> NDArray[np.int64]:
        if not 0 <= level < self.depth:
            raise UsageError(f"there is no level {level}", hint=f"there are {self.depth}, from 0")
        has_children = np.zeros(len(self), np.bool_)
        has_children[self.parent[self.parent >= 0]] = True
        return np.flatnonzero((self.level == level) | ((self.level < level) & ~has_children))

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


def _changes(*columns: NDArray[np.signedinteger]) -> NDArray[np.bool_]:
    """True in the first row, and wherever a column differs from the row before."""
    differs = [np.diff(values) != 0 for values in columns]
    return np.concatenate(([True], np.logical_or.reduce(differs)))[: len(columns[0])]


def _ends(run: NDArray[np.int32], thread: NDArray[np.int32], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Run, thread and last end of each thread; rows are ordered by run, thread and end."""
    last = np.append(_changes(run, thread)[1:], True)[: len(run)]
    return np.stack([run[last], thread[last], end[last]])
