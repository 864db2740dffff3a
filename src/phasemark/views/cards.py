"""Cards: what there is to say of each phase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phasemark.views import hottest
from phasemark.views.analysis import Analysis
from phasemark.views.places import Places

#: A place with a smaller share of its phase than this is not worth a line.
_TRACE = 0.001

#: (name, what it belongs to, share of the phase's instructions).
Named = tuple[str, str, float]


@dataclass(frozen=True)
class Card:
    """One phase.

    Attributes:
        share: of the instructions.
        intervals: how many.
        functions, lines: where most of its instructions were executed, the hottest first.
        points: rows of the simulation points that stand for it.
        lined: share of its instructions whose source line is known.
    """

    share: float
    intervals: int
    functions: list[Named]
    lines: list[Named]
    points: list[int]
    lined: float = 0.0


def cards(analysis: Analysis, functions: Places, lines: Places, top: int) -> list[Card]:
    """A card a phase.

    Args:
        analysis: of a run.
        functions, lines: of its blocks.
        top: functions and lines named, at most.
    """
    phases, shares = analysis.phases, analysis.shares.tolist()
    hot_functions, hot_lines = _hottest(analysis, functions, top), _hottest(analysis, lines, top)
    lined = _known(analysis, lines)
    return [
        Card(
            shares[phase],
            size,
            hot_functions[phase],
            hot_lines[phase],
            np.flatnonzero(analysis.points.phase == phase).tolist(),
            lined[phase],
        )
        for phase, size in enumerate(np.bincount(phases.labels, minlength=phases.k).tolist())
    ]


def _known(analysis: Analysis, places: Places) -> list[float]:
    """Share of each phase's instructions whose place is known."""
    sums, k = analysis.of_phases, analysis.phases.k
    phase = np.repeat(np.arange(k), np.diff(sums.indptr))
    known = np.bincount(phase, sums.data * (places.of_block[sums.indices] >= 0), k)
    whole = sums.row_sums()
    return np.divide(known, whole, out=np.zeros(k), where=whole > 0).tolist()  # type: ignore[no-any-return]


def _hottest(analysis: Analysis, places: Places, top: int) -> list[list[Named]]:
    """The hottest places of each phase, traces left out."""
    hot = hottest.hottest(analysis.of_phases, np.arange(analysis.phases.k), places, top)
    named: list[list[Named]] = [[] for _ in range(analysis.phases.k)]
    for phase, rank in np.argwhere((hot.place >= 0) & (hot.share >= _TRACE)).tolist():
        name, of = places.names[hot.place[phase, rank]]
        named[phase].append((name, of, float(hot.share[phase, rank])))
    return named
