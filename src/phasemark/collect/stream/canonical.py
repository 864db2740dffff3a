"""Recorded blocks -> canonical blocks.

Where a recorded block ends is the engine's choice. Canonical blocks are what is left when every piece
is split at the union of all piece starts of its module, over all streams compared: then it does not
matter any more how an engine cut the same instructions. A recorded block executes all or nothing, so
nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.collect.stream.contents import Entries, Ints
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError
from phasemark.model import Blocks

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DEFINITION = "straight run of instructions between two places where a recorded block starts"

_LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Segments:
    """The recorded blocks of one stream as runs of instructions of canonical blocks.

    Attributes:
        indptr: recorded block b is segments indptr[b] to indptr[b + 1] - 1.
        column: the canonical block of each segment.
        first: the number of its first instruction within the recorded block.
        instructions: its size in instructions.
        columns: how many canonical blocks there are.
    """

    indptr: Ints
    column: Ints
    first: Ints
    instructions: Ints
    columns: int

    def entered(self, entries: Entries, rows: int) -> csr_matrix:
        """Executions of each canonical block's first instruction: rows x columns, int64, exact."""
        from scipy.sparse import csr_matrix

        shape = (rows, len(self.indptr) - 1)
        executions = csr_matrix((entries.times, (entries.row, entries.block)), shape)
        once = np.ones(len(self.column), np.int64)
        entered = executions @ csr_matrix((once, self.column, self.indptr), (shape[1], self.columns))
        touched = np.diff(self.indptr)[entries.partial_block]
        at, number = _expand(self.indptr[entries.partial_block], touched)
        first = self.first[at]
        times = entries.partial_times[number] * (
            (first >= entries.partial_from[number]) & (first < entries.partial_to[number])
        )
        where = (entries.partial_row[number], self.column[at])
        return entered + csr_matrix((times, where), (rows, self.columns))

    def beginning_at(self, block: Ints, before: Ints) -> Ints:
        """The canonical block that begins with instruction `before` of a recorded block; -1: none does."""
        key = _recorded_key(np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr)), self.first)
        wanted = _recorded_key(block, before)
        at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
        begins: Ints = (
            np.where(key[at] == wanted, self.column[at], -1) if len(key) else np.full(len(block), -1)
        )
        return begins


@dataclass(frozen=True, eq=False)
class _Instructions:
    """Every instruction of every piece of one stream: a key of module and offset, and its bytes."""

    key: Ints
    starts_piece: NDArray[np.bool_]
    length: Ints
    block: Ints


def canonical(streams: Sequence[RawStream]) -> tuple[Blocks, list[Segments]]:
    """Canonical blocks of the streams, and each stream's recorded blocks in terms of them.

    Blocks are ordered by module (in order of first appearance) and offset. The offset is the offset in
    the module's file; in anonymous memory, from the start of the mapping. Code that was seen at one
    place with different sizes (self-modifying code) is one block, of the size seen first.

    Raises:
        DataError: the modules span more memory than there is.
    """
    names, modules = _modules(streams)
    bases, code = _lay_out(streams, modules, len(names))
    # Without the index NumPy loads its masked arrays, for a fiftieth of a second.
    starts, _ = np.unique(np.concatenate([c.key[c.starts_piece] for c in code]), return_index=True)
    cut = [_cut(c, starts) for c in code]
    keys, seen_first = np.unique(np.concatenate([k for k, *_ in cut]), return_index=True)
    size = np.concatenate([size for _, size, *_ in cut])[seen_first]
    size_bytes = np.concatenate([b for _, _, b, *_ in cut])[seen_first]
    module = np.searchsorted(bases, keys, side="right") - 1
    offset = (keys - bases[module]).astype(np.uint64)
    blocks = Blocks(names, module.astype(np.int32), offset, size, size_bytes)
    return blocks, [
        _segments(key, size, block, len(stream.blocks), keys)
        for stream, (key, size, _, block) in zip(streams, cut, strict=True)
    ]


def modules_of(stream: RawStream) -> tuple[tuple[str, ...], dict[int, int]]:
    """Names of the canonical modules of one stream, and module id -> which of them."""
    names, (ours,) = _modules([stream])
    return names, ours


def _modules(streams: Sequence[RawStream]) -> tuple[tuple[str, ...], list[dict[int, int]]]:
    """Names of the canonical modules, and for each stream: module id -> which of them.

    Anonymous memory is numbered in the order in which its code was first executed, as ids are, so that
    the addresses the system chose do not show.
    """
    numbers: dict[str, int] = {}
    of_streams = []
    for stream in streams:
        anonymous = 0
        ours: dict[int, int] = {}
        for serial, module in sorted(stream.modules.items()):
            name = module.name
            if module.kind == "anonymous":
                name = f"[anonymous {anonymous}]"
                anonymous += 1
            ours[serial] = numbers.setdefault(name, len(numbers))
        of_streams.append(ours)
    return tuple(numbers), of_streams


def _lay_out(
    streams: Sequence[RawStream], modules: list[dict[int, int]], count: int
) -> tuple[Ints, list[_Instructions]]:
    """All modules side by side in one range of keys: module m lies from base m on."""
    placed = [_place(stream, ours) for stream, ours in zip(streams, modules, strict=True)]
    spans = np.ones(count, np.int64)
    for module, offset, length, *_ in placed:
        np.maximum.at(spans, module, offset + length)
    if sum(spans.tolist()) >= _LARGEST_KEY:
        raise DataError("modules span more memory than there is", path=streams[0].path)
    bases = np.cumsum(spans) - spans
    return bases, [
        _Instructions(bases[module] + offset, starts, length, block)
        for module, offset, length, starts, block in placed
    ]


def _place(stream: RawStream, ours: dict[int, int]) -> tuple[Ints, Ints, Ints, NDArray[np.bool_], Ints]:
    """Canonical module, offset, bytes, whether it starts a piece, and block of every instruction."""
    blocks = stream.blocks
    ids = np.array(sorted(stream.modules), np.int64)
    at = np.searchsorted(ids, blocks.piece_module)
    module = np.array([ours[i] for i in ids.tolist()], np.int64)[at]
    base = np.array([stream.modules[i].offset for i in ids.tolist()], np.int64)[at]
    n = blocks.piece_instructions
    length = blocks.lengths.astype(np.int64)
    first = np.cumsum(n) - n
    before = np.cumsum(length) - length
    within = before - np.repeat(before[first], n)
    starts = np.zeros(len(length), np.bool_)
    starts[first] = True
    offset = np.repeat(base + blocks.piece_offset, n) + within
    return np.repeat(module, n), offset, length, starts, np.repeat(blocks.piece_block, n)


def _cut(code: _Instructions, starts: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Segments of the code: key, instructions, bytes, recorded block; in the order of the code."""
    at = np.searchsorted(starts, code.key)
    begins = code.starts_piece | (starts[np.minimum(at, len(starts) - 1)] == code.key)
    first = np.flatnonzero(begins)
    size = np.diff(first, append=len(begins))
    size_bytes = np.add.reduceat(code.length, first) if len(first) else size
    return code.key[first], size, size_bytes, code.block[first]


def _segments(key: Ints, size: Ints, block: Ints, blocks: int, keys: Ints) -> Segments:
    indptr = np.searchsorted(block, np.arange(blocks + 1))
    before = np.cumsum(size) - size
    first = before - before[indptr[block]]
    return Segments(indptr, np.searchsorted(keys, key), first, size, len(keys))


def _recorded_key(block: Ints, instruction: Ints) -> Ints:
    return block << 32 | instruction


def _expand(first: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """For each group i the positions first[i], first[i] + 1 ..., and i."""
    number = np.repeat(np.arange(len(sizes)), sizes)
    before = np.cumsum(sizes) - sizes
    return np.arange(len(number)) + (first - before)[number], number
