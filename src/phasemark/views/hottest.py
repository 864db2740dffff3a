"""Hottest: the places in the code where a group of intervals executed most instructions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts
from phasemark.views.places import Places
from phasemark.views.sums import Grouping, gathered


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
    (table,) = gathered(counts, grouping(groups, places))
    return first(table, top)


def grouping(groups: NDArray[np.int64], places: Places) -> Grouping:
    """How counts are added up for `first`: what is of no known place comes last."""
    unknown = len(places.names)
    of_block = np.where(places.of_block >= 0, places.of_block, unknown)
    return Grouping(groups, int(groups.max(initial=-1)) + 1, of_block, unknown + 1)


def first(table: Counts, top: int) -> Hottest:
    """The `top` places of each group, from the sums of a `grouping`."""
    row = np.repeat(np.arange(len(table)), np.diff(table.indptr))
    totals, known = table.row_sums(), table.indices < table.columns - 1
    return _first(row[known], table.indices[known], table.data[known], totals, top)


def hot_blocks(counts: Counts, groups: NDArray[np.int64], top: int) -> NDArray[np.int64]:
    """Rows of the `top` blocks of each group, ascending, each once."""
    every = Places([("", "")] * counts.columns, np.arange(counts.columns))
    place = hottest(counts, groups, every, top).place
    return np.unique(place[place >= 0])


def _first(
    row: NDArray[np.int64],
    column: NDArray[np.int32],
    data: NDArray[np.int64],
    totals: NDArray[np.int64],
    top: int,
) -> Hottest:
    """The `top` entries of each row of a sparse table, as shares of the row's total."""
    order = np.lexsort((column, -data, row))
    row, column, data = row[order], column[order], data[order]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    keep = rank < top
    place, share = np.full((len(totals), top), -1, np.int64), np.zeros((len(totals), top))
    place[row[keep], rank[keep]] = column[keep]
    share[row[keep], rank[keep]] = data[keep] / totals[row[keep]]
    return Hottest(place, share)
