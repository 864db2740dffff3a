"""With which block each interval of a run begins, and how often it was executed until then.

Counts are of the blocks' first instructions, from the records of the intervals: nothing is counted for them.
Across threads they are exact where no other thread was, at that moment, in the middle of an interval in which
it executes the block; elsewhere they are left open.
"""

from __future__ import annotations

import numpy as np

from phasemark.collect.stream.canonical import Segments
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.merging import batches
from phasemark.collect.stream.reader import RawStream


def markers_of(stream: RawStream, cut: Segments) -> tuple[Ints, Ints, Ints]:
    """Of each recorded interval: canonical block or -1, executions by the thread, and by all threads or 0.

    Args:
        stream: of a run that was cut at positions.
        cut: its blocks.

    Raises:
        DataError: the stream is malformed.
    """
    table, begun = stream.intervals, stream.beginnings
    unknown = np.zeros(len(table), np.int64)
    if not len(begun):
        return unknown - 1, unknown, unknown
    at = begun.rows_at(table.thread, table.start)
    begins = cut.beginning_at(begun.block, begun.before)
    block = np.where(at >= 0, begins[at], -1)
    marked = np.flatnonzero(block >= 0)
    wanted, column = np.unique(block[marked], return_inverse=True)
    row, of, times = _executions(stream, cut, wanted)

    count, total = unknown.copy(), unknown.copy()
    thread = table.thread
    # Rows of a thread follow one another, so those before a row are those of its thread, but for the first.
    first = np.searchsorted(thread, thread)
    before = _Sums(of, row, times)
    count[marked] = before.below(column, marked) - before.below(column, first[marked]) + 1

    # In the order of the file: an interval is written when it ends, its beginning when it begins.
    ended = np.where(table.is_complete, table.begin, np.iinfo(np.int64).max)
    order = np.unique(np.concatenate([ended, begun.at]))
    began = np.where(at >= 0, np.searchsorted(order, begun.at)[at], 0)
    by_end = _Sums(of, np.searchsorted(order, ended)[row], times)
    by_beginning = _Sums(of, began[row], times)
    sure = by_end.number_below(column, began[marked]) == by_beginning.number_below(column, began[marked])
    total[marked] = np.where(sure, by_end.below(column, began[marked]) + 1, 0)
    return block, count, total


def _executions(stream: RawStream, cut: Segments, wanted: Ints) -> tuple[Ints, Ints, Ints]:
    """Row, place among the blocks `wanted`, and executions, of the intervals that execute them."""
    parts = []
    for _, rows in batches(stream, np.arange(len(stream.intervals))):
        found = cut.entered(stream.entries(rows), rows.stop - rows.start).tocsc()[:, wanted].tocoo()
        parts.append(np.stack([found.row + rows.start, found.col, found.data]).astype(np.int64))
    row, of, times = np.concatenate([np.empty((3, 0), np.int64), *parts], axis=1)
    return row[times > 0], of[times > 0], times[times > 0]


class _Sums:
    """Sums over entries of a column whose key is below a bound.

    Args:
        column, key, value: of the entries, from 0.
    """

    def __init__(self, column: Ints, key: Ints, value: Ints) -> None:
        self._factor = int(key.max(initial=0)) + 2
        order = np.lexsort((key, column))
        self._keys = column[order] * self._factor + key[order]
        self._sums = np.concatenate(([0], np.cumsum(value[order])))

    def number_below(self, column: Ints, bound: Ints) -> Ints:
        """How many entries of each column have a key below the bound."""
        return self._at(column, bound) - self._at(column, np.zeros_like(bound))

    def below(self, column: Ints, bound: Ints) -> Ints:
        """The sum of their values."""
        sums: Ints = self._sums[self._at(column, bound)] - self._sums[self._at(column, np.zeros_like(bound))]
        return sums

    def _at(self, column: Ints, bound: Ints) -> Ints:
        found: Ints = np.searchsorted(self._keys, column * self._factor + np.minimum(bound, self._factor - 1))
        return found
