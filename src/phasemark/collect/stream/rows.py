"""The intervals of a profile, made of recorded ones: decoded, counted by canonical block and added up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

import phasemark._core as core
from phasemark.collect.stream.canonical import Segments
from phasemark.collect.stream.contents import Ints
from phasemark.collect.stream.merging import batches
from phasemark.collect.stream.reader import RawStream
from phasemark.model import Counts
from phasemark.threads import in_order


class RowReader:
    """Reads the rows of one stream, as often as they are asked for, and holds a few batches of them.

    Args:
        stream: of a process image.
        cut: its blocks.
        first: the first recorded row of each interval of the profile, ascending.
    """

    def __init__(self, stream: RawStream, cut: Segments, first: Ints) -> None:
        self._stream = stream
        self._cut = cut
        self._first = first

    def batches(self, told: Callable[[int], object] = lambda _: None) -> Iterator[Counts]:
        """Rows x canonical blocks, some rows at a time, in order.

        Args:
            told: called with the bytes of each batch in the stream.

        Raises:
            DataError: the stream is malformed.
        """
        table = self._stream.intervals
        for rows, counts in in_order(self._read, batches(self._stream, self._first)):
            yield counts
            told(int((table.end[rows] - table.begin[rows]).sum()))

    @cached_property
    def _blocks(self) -> core.RecordedBlocks:
        cut = self._cut
        of_id = self._stream.row_of_block
        return core.RecordedBlocks(of_id, cut.indptr, cut.column, cut.instructions, cut.columns)

    def _read(self, batch: tuple[slice, slice]) -> tuple[slice, Counts]:
        at, rows = batch
        table = self._stream.intervals
        data, begin, end = self._stream.frames.gathered(table.begin[rows], table.end[rows])
        group = np.append(self._first[at], rows.stop) - rows.start
        indptr, indices, counts, bad = core.interval_rows(
            data,
            begin,
            end,
            np.ascontiguousarray(table.length[rows]),
            group,
            self._blocks,
        )
        if bad >= 0:
            self._fail(rows.start + bad)
        return rows, Counts(indptr, indices, counts, self._cut.columns)

    def _fail(self, row: int) -> None:
        """Say what is wrong with a record."""
        self._stream.entries(slice(row, row + 1))
        self._stream.frames.fail(int(self._stream.intervals.begin[row]), "a number is too large to be true")
