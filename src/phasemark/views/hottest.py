"""Hottest: the places in the code where a group of intervals executed most instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts
from phasemark.views.places import Places


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
    place = hottest(counts, groups, every, top).place
    return np.unique(place[place >= 0])


def _first(table: Any, totals: NDArray[np.int64], top: int) -> Hottest:
    """The `top` entries of each row of a sparse table (SciPy COO), as shares of the row's total."""
    order = np.lexsort((table.col, -table.data, table.row))
    row, column, data = table.row[order], table.col[order], table.data[order]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    keep = rank < top
    place, share = np.full((len(totals), top), -1, np.int64), np.zeros((len(totals), top))
    place[row[keep], rank[keep]] = column[keep]
    share[row[keep], rank[keep]] = data[keep] / totals[row[keep]]
    return Hottest(place, share)
