"""Starts: where in the code the intervals of a phase begin, and with which call or loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.intervals import PhaseMarkers, event_name, markers_of, site_name
from phasemark.views.analysis import Analysis
from phasemark.views.places import finest


@dataclass(frozen=True)
class Start:
    """Where the intervals of a phase begin: of its first marker those that begin with it, else most.

    Attributes:
        place: `path:line`, or the block where no line is known; empty where no block is known.
        function: that the place is in; empty where it is not known, or is the place.
        share: of the phase's instructions, those in intervals that begin there.
        event: the marker, as `call of compress, gzip.c:214`; empty where there is none.
        name: what the phase is called after it, as `compress, gzip.c:214`.
        of_intervals: the share of the phase's intervals that begin with the event.
        of_events: the share of the event's occurrences with which an interval of the phase begins.
    """

    place: str
    function: str
    share: float
    event: str = ""
    name: str = ""
    of_intervals: float = 0.0
    of_events: float = 0.0


def starting_blocks(
    analysis: Analysis, markers: PhaseMarkers | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The block with which intervals of most of a phase's instructions begin, and the share of these.

    Args:
        analysis: of a run.
        markers: of its phases: only intervals that begin with the first marker of their phase count.

    Returns:
        Rows of blocks, int64, one a phase; -1 where that was not recorded. And shares, doubles.
    """
    k, recorded, labels = analysis.phases.k, analysis.profile.markers, analysis.phases.labels
    found, share = np.full(k, -1, np.int64), np.zeros(k)
    if recorded is None:
        return found, share
    block = np.asarray(recorded.block, np.int64)
    known = block >= 0
    if markers is not None and recorded.site is not None:
        first = np.where(markers.first >= 0, markers.site[markers.first], -1) if len(markers) else found
        known &= (first[labels] < 0) | (recorded.site == first[labels])
    length = analysis.profile.interval_table.length.astype(np.float64)
    whole = np.bincount(labels, length, k)
    n = len(analysis.profile.block_table)
    keys, of = np.unique(labels[known].astype(np.int64) * n + block[known], return_inverse=True)
    sums = np.bincount(of, length[known], len(keys))
    for at in np.lexsort((-keys, sums)).tolist():  # the last of a phase is the one with most
        phase, row = divmod(int(keys[at]), n)
        found[phase], share[phase] = row, sums[at] / (whole[phase] or 1)
    return found, share


def starts(analysis: Analysis) -> list[Start | None]:
    """One a phase; None where that was not recorded. The profile's blocks should carry their lines."""
    markers = markers_of(analysis.profile, analysis.phases)
    blocks, shares = starting_blocks(analysis, markers)
    first = [-1] * len(blocks) if markers is None else markers.first.tolist()
    places = finest(analysis.profile.block_table) if (blocks >= 0).any() else None
    found: list[Start | None] = []
    for block, share, row in zip(blocks.tolist(), shares.tolist(), first, strict=True):
        known = places is not None and block >= 0
        place, function = places.names[places.of_block[block]] if places is not None and known else ("", "")
        if markers is not None and row >= 0:
            site = int(markers.site[row])
            said = event_name(markers.sites, site), site_name(markers.sites, site)
            reliable = float(markers.of_intervals[row]), float(markers.of_events[row])
            found.append(Start(place, function, share, *said, *reliable))
        else:
            found.append(Start(place, function, share) if known else None)
    return found
