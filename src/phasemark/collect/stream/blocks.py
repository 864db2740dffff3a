"""The blocks of a raw stream."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.contents import Ints, RawBlocks
from phasemark.collect.stream.framing import Frames, count_within

LARGEST_OFFSET = 2**56
_LARGEST_BLOCK = 2**27  # blocks are numbered without gaps; a table over them must fit memory


class BlockReader:
    """Decodes the records of blocks.

    Args:
        frames: of the stream.
        modules: ids of its modules, in which the blocks lie.
    """

    def __init__(self, frames: Frames, modules: Collection[int]) -> None:
        self._frames = frames
        self._modules = list(modules)

    def read(self) -> RawBlocks:
        """All blocks.

        Raises:
            DataError: malformed records.
        """
        begin, end = self._frames.where("B")
        (ids, pieces), at = self._frames.columns(begin, end, 2)
        order = np.argsort(ids, kind="stable")
        if (large := ids > _LARGEST_BLOCK).any():
            self._frames.fail(int(begin[np.argmax(large)]), "a block's number is too large to be true")
        if (same := np.diff(ids[order]) == 0).any():
            self._frames.fail(int(begin[order[1:][same][0]]), "a block's number was given before")
        columns = self._pieces(at[order], end[order], pieces[order])
        order_of_pieces = np.argsort(columns[0], kind="stable")
        block, module, offset, instructions, nibbles = (column[order_of_pieces] for column in columns)
        sizes = np.zeros(len(ids), np.int64)
        np.add.at(sizes, block, instructions)
        lengths = self._lengths(nibbles, instructions)
        return RawBlocks(ids[order], sizes, block, module, offset, instructions, lengths)

    def _pieces(self, at: Ints, end: Ints, left: Ints) -> list[Ints]:
        """Columns block, module, offset, instructions and the position of the instructions' lengths."""
        rows = np.arange(len(at))
        columns = [np.empty((5, 0), np.int64)]
        while (more := left > 0).any():
            rows, at, end, left = rows[more], at[more], end[more], left[more] - 1
            (module, offset, instructions), stop = self._frames.columns(at, end, 3)
            at = stop + (instructions + 1) // 2
            self._check_pieces(module, offset, instructions, stop, end)
            columns.append(np.stack([rows, module, offset, instructions, stop]))
        return list(np.concatenate(columns, axis=1))

    def _check_pieces(self, module: Ints, offset: Ints, instructions: Ints, at: Ints, end: Ints) -> None:
        known = np.isin(module, self._modules)
        for bad, message in (
            (at + (instructions + 1) // 2 > end, "a block is longer than its record"),
            (instructions == 0, "a piece of a block has no instruction"),
            (~known, "a block lies in a module that was not recorded"),
            (offset >= LARGEST_OFFSET, "a block lies at an impossible offset"),
        ):
            if bad.any():
                self._frames.fail(int(at[np.argmax(bad)]), message)

    def _lengths(self, at: Ints, instructions: Ints) -> NDArray[np.uint8]:
        number = count_within(instructions)
        position = np.repeat(at, instructions) + number // 2
        packed = self._frames.bytes_at(position)
        lengths: NDArray[np.uint8] = np.where(number % 2, packed >> 4, packed & 15).astype(np.uint8)
        if (lengths == 0).any():
            self._frames.fail(int(position[np.argmin(lengths)]), "an instruction has no bytes")
        return lengths
