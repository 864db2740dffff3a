"""Blocks of several profiles -> blocks of all: split wherever a block of any of them starts.

Where a recorded block ends is the engine's choice, and two runs choose differently; see
`collect.stream.canonical`, which does the same for the raw streams of one run. A block executes all or
nothing, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Blocks, Counts
from phasemark.parallel.renamed import basename
from phasemark.symbols import original

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pieces:
    """The blocks of one profile in terms of those of all.

    Attributes:
        indptr: block b is pieces indptr[b] to indptr[b + 1] - 1, in order of their offsets.
        column: the block of all that each piece is.
        size: instructions of each piece; 1 of a block of a single one.
        columns: how many blocks of all there are.
    """

    indptr: Ints
    column: Ints
    size: Ints
    columns: int

    def recounted(self, counts: Counts) -> Counts:
        """The counts of some rows over the blocks of all: each block's go to its pieces by their size."""
        row = np.repeat(np.arange(len(counts)), np.diff(counts.indptr))
        many = np.diff(self.indptr)[counts.indices]
        at, entry = _expanded(self.indptr[counts.indices], many)
        column, row = self.column[at], row[entry]
        data = np.asarray(counts.data)[entry]
        if len(at) > len(counts.indices):
            data = self._shared(data, at)
        some = data > 0
        return summed(row[some], column[some], data[some], len(counts), self.columns)

    def _shared(self, data: Ints, at: Ints) -> Ints:
        """What of a block's count is each piece's; they sum to it though it be no multiple of the block."""
        before = np.cumsum(self.size) - self.size
        block = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))[at]
        low = before[at] - before[self.indptr[block]]
        whole = np.add.reduceat(self.size, self.indptr[:-1])[block]
        times, rest = np.divmod(data, whole)
        shared: Ints = times * self.size[at] + rest * (low + self.size[at]) // whole - rest * low // whole
        return shared


def united(tables: Sequence[Blocks], *, split: bool = True) -> tuple[Blocks, list[Pieces]]:
    """The blocks of all, by module in order of first appearance, and offset; and each table in terms of them.

    Args:
        tables: of profiles over the same builds of the same modules.
        split: a block within which another one starts is several.
    """
    names: dict[str, int] = {}
    numbers = [np.array([names.setdefault(name, len(names)) for name in t.modules], np.int64) for t in tables]
    module = [
        number[t.module] if len(t) else np.empty(0, np.int64)
        for number, t in zip(numbers, tables, strict=True)
    ]
    starts = _starts(tables, module, len(names))
    first = np.cumsum([0, *map(len, starts)])
    cuts = [_cut(t, m, starts, first, split) for t, m in zip(tables, module, strict=True)]
    sizes = _Sizes()
    for table, (indptr, column, size_bytes) in zip(tables, cuts, strict=True):
        sizes.learn(table, indptr, column, size_bytes)
    of_each = [
        sizes.of(table, indptr, column, size_bytes)
        for table, (indptr, column, size_bytes) in zip(tables, cuts, strict=True)
    ]
    pieces = [
        Pieces(indptr, column, np.maximum(size, 1), int(first[-1]))
        for (indptr, column, _), size in zip(cuts, of_each, strict=True)
    ]
    return _table(tables, tuple(names), starts, cuts, of_each), pieces


def by_name(
    tables: Sequence[Blocks], renamed: Sequence[Mapping[str, str]] | None = None
) -> tuple[Blocks, list[Pieces]]:
    """Functions in the place of blocks: those of one name, in modules of one file name, are one.

    Args:
        tables: with names of functions; what has none is of its module. Copies that a compiler made of a
            function (`.constprop.0`, `.cold`) are it.
        renamed: of each table, file names that stand for others.
    """
    known: dict[tuple[str, str], int] = {}
    columns = []
    for table, others in zip(tables, renamed or [{}] * len(tables), strict=True):
        functions = table.function or ("",) * len(table)
        modules = [others.get(basename(name), basename(name)) for name in table.modules]
        keys = [(modules[m], original(f)) for m, f in zip(table.module.tolist(), functions, strict=True)]
        columns.append(np.array([known.setdefault(key, len(known)) for key in keys], np.int64))
    names: dict[str, int] = {}
    module = np.array([names.setdefault(name, len(names)) for name, _ in known], np.int32)
    n = len(known)
    nothing = np.zeros(n, np.int64)
    blocks = Blocks(
        tuple(names),
        module,
        np.arange(n, dtype=np.uint64),
        nothing,
        nothing,
        function=tuple(f for _, f in known),
    )
    return blocks, [
        Pieces(np.arange(len(column) + 1), column, np.ones(len(column), np.int64), n) for column in columns
    ]


def _starts(tables: Sequence[Blocks], module: Sequence[Ints], count: int) -> list[NDArray[np.uint64]]:
    """Of each module where blocks start."""
    offset = np.concatenate([t.offset for t in tables])
    whose = np.concatenate(module)
    order = np.lexsort((offset, whose))
    bounds = np.searchsorted(whose[order], np.arange(count + 1))
    return [np.unique(offset[order[a:b]]) for a, b in pairwise(bounds.tolist())]


def _cut(
    table: Blocks, module: Ints, starts: list[NDArray[np.uint64]], first: Ints, split: bool
) -> tuple[Ints, Ints, Ints]:
    """Pieces of each block: indptr, their columns, and their bytes."""
    low, high = np.empty(len(table), np.int64), np.empty(len(table), np.int64)
    can_split = (table.instructions > 1) & (table.size > 1) & split
    end = table.offset + np.where(can_split, table.size, 1).astype(np.uint64)
    for m in np.unique(module).tolist():
        rows = np.flatnonzero(module == m)
        low[rows] = np.searchsorted(starts[m], table.offset[rows]) + first[m]
        high[rows] = np.searchsorted(starts[m], end[rows]) + first[m]
    high = np.where(can_split, np.maximum(high, low + 1), low + 1)
    many = high - low
    indptr = np.concatenate(([0], np.cumsum(many)))
    column, block = _expanded(low, many)
    everywhere = np.concatenate([*starts, np.empty(0, np.uint64)])
    begins = everywhere[column]
    last = np.zeros(len(column), np.bool_)
    last[indptr[1:] - 1] = True
    stop = np.where(last, table.offset[block] + table.size[block].astype(np.uint64), np.append(begins[1:], 0))
    return indptr, column, (stop - begins).astype(np.int64)


class _Sizes:
    """How many instructions a piece has: known of those that are whole blocks, else what others leave."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}
        self._open: list[tuple[int, list[tuple[int, int]]]] = []

    def learn(self, table: Blocks, indptr: Ints, column: Ints, size_bytes: Ints) -> None:
        """From one table."""
        many = np.diff(indptr)
        if not (many > 1).any() and not self._open:
            self._whole(table, indptr, column, size_bytes, many)
            return
        self._whole(table, indptr, column, size_bytes, many)
        for row in np.flatnonzero(many > 1).tolist():
            part = slice(int(indptr[row]), int(indptr[row + 1]))
            keys = list(zip(column[part].tolist(), size_bytes[part].tolist(), strict=True))
            self._open.append((int(table.instructions[row]), keys))

    def _whole(self, table: Blocks, indptr: Ints, column: Ints, size_bytes: Ints, many: Ints) -> None:
        rows = np.flatnonzero(many == 1)
        at = indptr[rows]
        keys = zip(column[at].tolist(), size_bytes[at].tolist(), strict=True)
        for key, size in zip(keys, table.instructions[rows].tolist(), strict=True):
            self._known.setdefault(key, size)

    def of(self, table: Blocks, indptr: Ints, column: Ints, size_bytes: Ints) -> Ints:
        """Instructions of each piece of a table; those of a block sum to its own."""
        self._solve()
        size = np.repeat(table.instructions, np.diff(indptr))
        for row in np.flatnonzero(np.diff(indptr) > 1).tolist():
            part = slice(int(indptr[row]), int(indptr[row + 1]))
            keys = list(zip(column[part].tolist(), size_bytes[part].tolist(), strict=True))
            whole, known = int(table.instructions[row]), [self._known.get(key, 0) for key in keys]
            size[part] = known if sum(known) == whole and all(known) else _by_bytes(whole, size_bytes[part])
        return size

    def _solve(self) -> None:
        """A block of which all pieces but one are known tells that one."""
        while True:
            still = []
            for whole, keys in self._open:
                unknown = [key for key in keys if key not in self._known]
                if len(unknown) > 1:
                    still.append((whole, keys))
                elif unknown:
                    left = whole - sum(self._known[key] for key in keys if key in self._known)
                    if left > 0:
                        self._known[unknown[0]] = left
            if len(still) == len(self._open):
                return
            self._open = still


def _by_bytes(whole: int, size_bytes: Ints) -> Ints:
    """So many instructions over pieces of so many bytes, at least one each where there are enough."""
    ends = np.cumsum(size_bytes) * whole // max(int(size_bytes.sum()), 1)
    ends = np.maximum(ends, np.minimum(np.arange(1, len(ends) + 1), whole))
    ends[-1] = whole
    return np.diff(np.minimum.accumulate(ends[::-1])[::-1], prepend=0)


def _table(
    tables: Sequence[Blocks],
    names: tuple[str, ...],
    starts: list[NDArray[np.uint64]],
    cuts: Sequence[tuple[Ints, Ints, Ints]],
    sizes: Sequence[Ints],
) -> Blocks:
    offset = np.concatenate([*starts, np.empty(0, np.uint64)])
    module = np.repeat(np.arange(len(names)), [len(s) for s in starts]).astype(np.int32)
    table_of = np.repeat(np.arange(len(tables)), [len(column) for _, column, _ in cuts])
    columns = np.concatenate([column for _, column, _ in cuts])
    seen, where = np.unique(columns, return_index=True)
    assert len(seen) == len(offset)
    size, size_bytes = np.concatenate(sizes)[where], np.concatenate([b for *_, b in cuts])[where]
    row = np.concatenate(
        [np.repeat(np.arange(len(t)), np.diff(i)) for t, (i, *_) in zip(tables, cuts, strict=True)]
    )
    table_of, row = table_of[where], row[where]
    # Numbers of other tools name blocks of no known place.
    nameless = np.array([not name for name in names], np.bool_)[module] if names else np.empty(0, np.bool_)
    given = np.array(
        [int(tables[t].id[r]) for t, r in zip(table_of.tolist(), row.tolist(), strict=True)], np.uint64
    )
    ids = np.where(nameless, given, np.arange(len(offset), dtype=np.uint64))
    return Blocks(names, module, offset, size, size_bytes, ids, **_symbols(tables, table_of, row))


def _symbols(tables: Sequence[Blocks], table_of: Ints, row: Ints) -> dict[str, Any]:
    """Names that were looked up in all tables; else none, to be looked up of all."""
    found: dict[str, Any] = {}
    for name in ("function", "file", "line"):
        columns = [getattr(table, name) for table in tables]
        if all(values is not None for values in columns):
            picked = [columns[t][r] for t, r in zip(table_of.tolist(), row.tolist(), strict=True)]
            found[name] = np.array(picked, np.int64) if name == "line" else tuple(picked)
    return found


def summed(row: Ints, column: Ints, data: Ints, rows: int, columns: int) -> Counts:
    """Entries in the order of rows and columns, those of one place added up."""
    key = row * columns + column
    if (np.diff(key) <= 0).any():
        order = np.argsort(key, kind="stable")
        key, data = key[order], data[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        data, key = np.add.reduceat(data, first), key[first]
    row, column = np.divmod(key, max(columns, 1))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows))))
    return Counts(indptr, column.astype(np.int32), data, columns)


def recounted(vectors: Counts, pieces: Pieces) -> Iterator[Counts]:
    """All rows over the blocks of all, some at a time."""
    for part in vectors.rows():
        yield pieces.recounted(part)


def _expanded(first: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """For each group i the positions first[i], first[i] + 1 ..., and i."""
    number = np.repeat(np.arange(len(sizes)), sizes)
    before = np.cumsum(sizes) - sizes
    return np.arange(len(number)) + (np.asarray(first, np.int64) - before)[number], number
