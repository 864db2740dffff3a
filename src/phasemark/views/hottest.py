"""Hottest: where in the code the instructions of a stretch were executed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Blocks, Counts


@dataclass(frozen=True)
class Places:
    """Names of places in the code, and the place of every block.

    Attributes:
        names: (name, what it belongs to): a function and its module, or `path:line` and its function.
        of_block: index into `names`, int64, one a block; -1 where the place is not known.
    """

    names: list[tuple[str, str]]
    of_block: NDArray[np.int64]


@dataclass(frozen=True)
class Hottest:
    """The places with most instructions of each group of intervals.

    Attributes:
        place: groups x top, int64: index into the places' names, the hottest first; -1 where there are
            fewer.
        share: groups x top, doubles: share of the group's instructions.
    """

    place: NDArray[np.int64]
    share: NDArray[np.float64]


def functions(blocks: Blocks) -> Places:
    """The functions; a block without a known function is its own place."""
    names = blocks.function or ("",) * len(blocks)
    modules = [_base(module) for module in blocks.modules]
    return _places(
        [
            _function(name, modules[module]) if name else (_base(blocks.name(row)), "")
            for row, (name, module) in enumerate(zip(names, blocks.module.tolist(), strict=True))
        ]
    )


def lines(blocks: Blocks) -> Places:
    """The source lines, `file:line`, as far as they are known."""
    if blocks.file is None or blocks.line is None:
        return Places([], np.full(len(blocks), -1, np.int64))
    names = blocks.function or ("",) * len(blocks)
    return _places(
        [
            (f"{file}:{line}", name) if file else None
            for file, line, name in zip(blocks.file, blocks.line.tolist(), names, strict=True)
        ]
    )


def hottest(counts: Counts, groups: NDArray[np.int64], places: Places, top: int) -> Hottest:
    """The `top` places of each group; of equals the one that comes first in the code.

    Args:
        counts: instructions, intervals x blocks.
        groups: group of each interval, from 0.
        places: where the blocks belong.
        top: how many a group.
    """
    from scipy.sparse import csr_matrix

    entries = np.repeat(groups, np.diff(counts.indptr))
    at = places.of_block[counts.indices]
    known = at >= 0
    shape = (int(groups.max(initial=-1)) + 1, max(1, len(places.names)))
    table = csr_matrix((counts.data[known], (entries[known], at[known])), shape=shape)
    table.sum_duplicates()
    totals = np.zeros(shape[0], np.int64)
    np.add.at(totals, groups, counts.row_sums())
    return _first(table.tocoo(), totals, top)


def hot_blocks(counts: Counts, groups: NDArray[np.int64], top: int) -> NDArray[np.int64]:
    """Rows of the `top` blocks of each group, ascending, each once."""
    every = Places([("", "")] * counts.columns, np.arange(counts.columns))
    found = hottest(counts, groups, every, top)
    return np.unique(found.place[found.place >= 0])


def _first(table: Any, totals: NDArray[np.int64], top: int) -> Hottest:
    order = np.lexsort((table.col, -table.data, table.row))
    row, place, data = table.row[order], table.col[order], table.data[order]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    keep = rank < top
    found = Hottest(np.full((len(totals), top), -1, np.int64), np.zeros((len(totals), top)))
    found.place[row[keep], rank[keep]] = place[keep]
    found.share[row[keep], rank[keep]] = data[keep] / totals[row[keep]]
    return found


def _places(of_block: Sequence[tuple[str, str] | None]) -> Places:
    index: dict[tuple[str, str], int] = {}
    at = [-1 if name is None else index.setdefault(name, len(index)) for name in of_block]
    return Places(list(index), np.array(at, np.int64))


def _function(name: str, module: str) -> tuple[str, str]:
    """A function without a symbol is called after its module, which then need not be said again."""
    return (name, "" if name.startswith((f"{module}+", f"{module}:")) else module)


def _base(path: str) -> str:
    return path if path.startswith("[") else path.rsplit("/", 1)[-1]
