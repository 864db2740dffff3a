"""Parts: where a leaf that is too long for a purpose can be divided."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.intervals.cutting import LeavesOfThread
from phasemark.intervals.grammar import Grammar
from phasemark.intervals.occurrences import Occurrences, joined, within


@dataclass(frozen=True)
class Parts:
    """Stretches within leaves, one within the other: parents before children, siblings in order.

    Attributes:
        start, end: instructions, int64.
        parent: the number of a part, or -1 - i for leaf i, int64.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    parent: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start)


def parts(leaves: LeavesOfThread) -> Parts:
    """Divide leaves along the grammar of the trace, and their parts, down to the shortest length of a leaf.

    What is twice as long as that, and longer, is divided: a rule into its symbols, a transition into the
    symbols of S. Neighbours shorter than that go together until they are about as long, and a symbol that is
    all of its rule but less than that is divided in its place: there are few parts, however many symbols,
    and however deep rules stand in one another.
    """
    at, top = leaves.bounds, leaves.top
    leaf = np.cumsum(np.isin(np.arange(len(top)), leaves.first)) - 1
    one = np.bincount(leaf, minlength=len(leaves.first)) == 1
    long = np.bincount(leaf, at[top.end] - at[top.first], len(one)) >= 2 * leaves.shortest
    several, alone = long & ~one, (long & one)[leaf] & (top.symbol < 0)
    inner = _divided(leaves.grammar, top.some(alone), at, leaves.shortest)
    symbols = joined(top.some(several[leaf]), inner)
    parent = -1 - np.concatenate((leaf[several[leaf]], leaf[alone][inner.parent]))
    found, count = [], 0
    while len(symbols):
        begin = _groups(symbols, parent, at, leaves.shortest)
        last = np.append(begin[1:], len(symbols)) - 1
        start, end = at[symbols.first[begin]], at[symbols.end[last]]
        found.append(Parts(start, end, parent[begin]))
        divided = (begin == last) & (symbols.symbol[begin] < 0) & (end - start >= 2 * leaves.shortest)
        number = count + np.flatnonzero(divided)
        count += len(begin)
        symbols = _divided(leaves.grammar, symbols.some(begin[divided]), at, leaves.shortest)
        parent = number[symbols.parent]
    empty = np.empty(0, np.int64)
    return Parts(
        np.concatenate([empty, *(part.start for part in found)]),
        np.concatenate([empty, *(part.end for part in found)]),
        np.concatenate([empty, *(part.parent for part in found)]),
    )


def _divided(grammar: Grammar, rules: Occurrences, at: NDArray[np.int64], shortest: int) -> Occurrences:
    """The symbols of rules that are twice as long as `shortest`, and longer, in order.

    Of a symbol that is all of its rule but less than `shortest`, those within it are given, and so on; what
    is before and after them is a symbol then, as a terminal is: it is not to be divided.
    """
    size = at[rules.end] - at[rules.first]
    found, left, within_rule = [], rules, np.arange(len(rules))
    first, end = rules.first.copy(), rules.end.copy()
    while len(left):
        symbols = within(grammar, left)
        length = at[symbols.end] - at[symbols.first]
        least = np.maximum(size[within_rule] - shortest + 1, 2 * shortest)
        most_of_it = (symbols.symbol < 0) & (length >= least[symbols.parent])
        further = np.zeros(len(left), np.bool_)
        further[symbols.parent[most_of_it]] = True
        found.append(_of(symbols.some(~further[symbols.parent]), within_rule))
        left = _of(symbols.some(most_of_it), within_rule)
        within_rule = left.parent
        first[within_rule], end[within_rule] = left.first, left.end
    rows, before, after = np.arange(len(rules)), first > rules.first, end < rules.end
    found.append(Occurrences(0 * rows, rules.first, first, rows).some(before))
    found.append(Occurrences(0 * rows, end, rules.end, rows).some(after))
    everything = joined(*found)
    return everything.some(np.argsort(everything.first, kind="stable"))


def _of(symbols: Occurrences, parent: NDArray[np.int64]) -> Occurrences:
    return dataclasses.replace(symbols, parent=parent[symbols.parent])


def _groups(
    symbols: Occurrences, parent: NDArray[np.int64], at: NDArray[np.int64], shortest: int
) -> NDArray[np.int64]:
    """Where groups begin: a long symbol is one, and so are short neighbours of about that length together."""
    start, rows = at[symbols.first], np.arange(len(symbols))
    long = at[symbols.end] - start >= shortest
    fresh = long | np.concatenate(([True], long[:-1] | (np.diff(parent) != 0)))
    since = start - start[np.maximum.accumulate(np.where(fresh, rows, 0))]
    return np.flatnonzero(fresh | np.concatenate(([True], np.diff(since // shortest) > 0)))
