"""Starts: where in the code the intervals of a phase begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.views.analysis import Analysis
from phasemark.views.places import finest


@dataclass(frozen=True)
class Start:
    """Where most instructions of a phase's intervals begin.

    Attributes:
        place: `path:line`, or the block where no line is known.
        function: that the place is in; empty where it is not known, or is the place.
        share: of the phase's instructions, those in intervals that begin there.
    """

    place: str
    function: str
    share: float


def starting_blocks(analysis: Analysis) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The block with which intervals of most of a phase's instructions begin, and the share of these.

    Returns:
        Rows of blocks, int64, one a phase; -1 where that was not recorded. And shares, doubles.
    """
    k, markers = analysis.phases.k, analysis.profile.markers
    found, share = np.full(k, -1, np.int64), np.zeros(k)
    if markers is None:
        return found, share
    block = np.asarray(markers.block, np.int64)
    known = block >= 0
    length = analysis.profile.interval_table.length.astype(np.float64)
    whole = np.bincount(analysis.phases.labels, length, k)
    n = len(analysis.profile.block_table)
    keys, of = np.unique(
        analysis.phases.labels[known].astype(np.int64) * n + block[known], return_inverse=True
    )
    sums = np.bincount(of, length[known], len(keys))
    for at in np.lexsort((-keys, sums)).tolist():  # the last of a phase is the one with most
        phase, row = divmod(int(keys[at]), n)
        found[phase], share[phase] = row, sums[at] / (whole[phase] or 1)
    return found, share


def starts(analysis: Analysis) -> list[Start | None]:
    """One a phase; None where that was not recorded. The profile's blocks should carry their lines."""
    blocks, shares = starting_blocks(analysis)
    if not (blocks >= 0).any():
        return [None] * len(blocks)
    places = finest(analysis.profile.block_table)
    found: list[Start | None] = []
    for block, share in zip(blocks.tolist(), shares.tolist(), strict=True):
        place, function = places.names[places.of_block[block]] if block >= 0 else ("", "")
        found.append(Start(place, function, share) if block >= 0 else None)
    return found
