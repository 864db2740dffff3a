"""What intervals of a raw stream executed."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from phasemark.collect.stream.contents import Entries, Ints, RawBlocks
from phasemark.collect.stream.framing import Frames, count_within


class EntryReader:
    """Decodes the records of intervals.

    Args:
        frames: of the stream.
        blocks: that intervals name.
    """

    def __init__(self, frames: Frames, blocks: RawBlocks) -> None:
        self._frames = frames
        self._blocks = blocks

    def read(self, begin: Ints, end: Ints, lengths: Ints) -> Entries:
        """The entries of intervals of such lengths, whose payloads lie from `begin` to `end`.

        Raises:
            DataError: a block is unknown, or the counts do not sum to the interval's length.
        """
        values, first, _ = self._frames.varints(begin, end)
        entries = self._split(values, first[:-1], first[1:], begin)
        self._check_sums(entries, lengths, begin)
        return entries

    def _split(self, values: Ints, first: Ints, last: Ints, begin: Ints) -> Entries:
        """The numbers of interval records as entries; payload i holds values[first[i]:last[i]]."""
        full = self._counted(values, first + 3, last, 2, begin)
        after = first + 4 + 2 * full
        partial = self._counted(values, after, last, 4, begin)
        if (left := after + 1 + 4 * partial != last).any():
            self._frames.fail(int(begin[np.argmax(left)]), "an interval's record goes on after its end")
        at = np.repeat(first + 4, full) + 2 * count_within(full)
        part = np.repeat(after + 1, partial) + 4 * count_within(partial)
        rows = np.arange(len(first))
        return Entries(
            np.repeat(rows, full),
            self.block_rows(_running_sum(values[at], full), np.repeat(begin, full)),
            values[at + 1],
            np.repeat(rows, partial),
            self.block_rows(values[part], np.repeat(begin, partial)),
            *(values[part + column] for column in (1, 2, 3)),
        )

    def _counted(self, values: Ints, at: Ints, last: Ints, width: int, begin: Ints) -> Ints:
        """The counts at `at`, each followed by so many entries of `width` numbers before `last`."""
        inside = at < last
        counts = values[np.where(inside, at, 0)] if len(values) else at
        bad = ~inside | (counts < 0) | (counts > (last - at) // width)
        if bad.any():
            self._frames.fail(int(begin[np.argmax(bad)]), "an interval's record is shorter than it says")
        return counts

    def block_rows(self, ids: Ints, begin: Ints) -> Ints:
        """Rows of blocks, by id; `begin` is where each record lies.

        Raises:
            DataError: a block is unknown.
        """
        table = self.row_of_id
        rows = table[np.clip(ids, 0, len(table) - 1)]
        if (unknown := rows < 0).any() or ids.max(initial=-1) >= len(table) or ids.min(initial=0) < 0:
            bad = unknown | (ids >= len(table)) | (ids < 0)
            at = int(np.argmax(bad))
            self._frames.fail(int(begin[at]), f"an interval names block {ids[at]}, which was not recorded")
        return rows

    @cached_property
    def row_of_id(self) -> Ints:
        """Block id -> its row, -1 where there is none; the last is -1."""
        ids = self._blocks.ids
        table = np.full(int(ids.max(initial=-1)) + 2, -1)
        table[ids] = np.arange(len(ids))
        return table

    def _check_sums(self, entries: Entries, lengths: Ints, begin: Ints) -> None:
        sizes = self._blocks.instructions
        outside = (entries.partial_from < 0) | (entries.partial_from > entries.partial_to)
        outside |= entries.partial_to > sizes[entries.partial_block]
        if outside.any():
            row = int(entries.partial_row[np.argmax(outside)])
            self._frames.fail(int(begin[row]), "a part of a block reaches beyond the block")
        sums = np.zeros(len(lengths), np.int64)
        np.add.at(sums, entries.row, entries.times * sizes[entries.block])
        cut = entries.partial_times * (entries.partial_to - entries.partial_from)
        np.add.at(sums, entries.partial_row, cut)
        if (wrong := sums != lengths).any():
            row = int(np.argmax(wrong))
            self._frames.fail(
                int(begin[row]),
                f"an interval of {lengths[row]:,} instructions counts {sums[row]:,} of them",
            )


def _running_sum(values: Ints, sizes: Ints) -> Ints:
    """Cumulative sums that begin anew with every group of `sizes` values."""
    sums: Ints = np.cumsum(values)
    starts = (np.cumsum(sizes) - sizes)[sizes > 0]
    before = sums[starts] - values[starts]
    sums -= np.repeat(before, sizes[sizes > 0])
    return sums
