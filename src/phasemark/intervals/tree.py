"""Tree: the nodes of a hierarchy while it grows from its leaves up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.intervals.cutting import LeavesOfThread
from phasemark.intervals.grammar import Grammar
from phasemark.intervals.occurrences import of_start, within
from phasemark.intervals.parts import parts
from phasemark.model import KINDS, Hierarchy, Phases

_VARIABLE = KINDS.index("variable")

#: The step at which nodes are made that no level has: parts of leaves, which are step 0.
_PARTS = -1


class Tree:
    """Nodes of all threads. Steps are levels, counted from the leaves up.

    Attributes:
        current: of each thread, its intervals at the step reached: numbers of nodes, int64.
        step: how many levels there are above the leaves.
    """

    def __init__(self, threads: list[LeavesOfThread]) -> None:
        self._keys = [(one.events.run, one.events.thread) for one in threads]
        divided = [parts(one) for one in threads]
        leaves = sum(len(one.intervals) for one in threads)
        # A rule has two symbols and more, so that there are fewer of them than leaves.
        most = 2 * leaves + sum(len(some) for some in divided)
        self._thread, self._top = np.zeros(most, np.int32), np.zeros(most, np.int32)
        self._start, self._end = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self._parent = np.full(most, -1)
        self._kind = np.full(most, _VARIABLE, np.int8)
        self._count = self.step = 0
        self.current = [self._leaves(number, one) for number, one in enumerate(threads)]
        for number, (some, leaf) in enumerate(zip(divided, self.current, strict=True)):
            first = self._count
            of_leaf = some.parent < 0
            parent = some.parent + first
            parent[of_leaf] = leaf[-1 - some.parent[of_leaf]]
            self._add(number, some.start, some.end, _PARTS, parent)

    def unite(self, grammars: dict[int, Grammar]) -> list[NDArray[np.int64]]:
        """Go one step up: the intervals of a thread become the symbols of S of the grammar of their labels.

        Args:
            grammars: of threads; the intervals of others stay.

        Returns:
            Of each thread, with which interval of the step before each begins.
        """
        firsts = []
        for number, current in enumerate(self.current):
            if number in grammars:
                self.current[number], first = self._united(number, grammars[number], current)
            else:
                first = np.arange(len(current))
            firsts.append(first)
            self._top[self.current[number]] = self.step + 1
        self.step += 1
        return firsts

    def lengths(self) -> NDArray[np.int64]:
        """Instructions of the intervals of all threads, at the step reached."""
        rows = np.concatenate(self.current)
        return self._end[rows] - self._start[rows]

    def done(self, phases: list[Phases]) -> Hierarchy:
        """The hierarchy; `phases` are those of each step."""
        used = slice(self._count)
        thread, start, end = self._thread[used], self._start[used], self._end[used]
        level = np.int32(self.step) - self._top[used]
        order = np.lexsort((-end, start, level, thread))
        row = np.empty(len(order) + 1, np.int64)
        row[order], row[-1] = np.arange(len(order)), -1  # of no parent: -1
        thread = thread[order]
        keys = np.array(self._keys, np.int32).reshape(-1, 2)
        return Hierarchy(
            *(keys[thread, 0], keys[thread, 1], level[order], row[self._parent[used][order]]),
            *(start[order], end[order], self._kind[used][order]),
            depth=self.step + 1,
            phases=tuple(reversed(phases)),
        )

    def _leaves(self, number: int, thread: LeavesOfThread) -> NDArray[np.int64]:
        intervals = thread.intervals
        rows = self._add(number, intervals.start, intervals.start + intervals.length, 0, -1)
        self._kind[rows] = intervals.kind
        return rows

    def _united(
        self, number: int, grammar: Grammar, below: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        symbols = of_start(grammar)
        above, top, parent = below[symbols.first], self.step + 1, np.full(len(symbols), -1)
        rows = above
        while True:
            is_rule = symbols.symbol < 0
            self._parent[rows[~is_rule]] = parent[~is_rule]
            symbols = symbols.some(is_rule)
            start, end = self._start[below[symbols.first]], self._end[below[symbols.end - 1]]
            rows[is_rule] = self._add(number, start, end, top, parent[is_rule])
            if not len(symbols):
                return above, of_start(grammar).first
            rules = rows[is_rule]
            symbols = within(grammar, symbols)
            rows, parent, top = below[symbols.first], rules[symbols.parent], self.step

    def _add(
        self,
        number: int,
        start: NDArray[np.int64],
        end: NDArray[np.int64],
        top: int,
        parent: NDArray[np.int64] | int,
    ) -> NDArray[np.int64]:
        rows = np.arange(self._count, self._count + len(start))
        self._count += len(start)
        self._thread[rows], self._top[rows], self._parent[rows] = number, top, parent
        self._start[rows], self._end[rows] = start, end
        return rows
