"""Contrast: how phases differ that spend most of their instructions in one and the same function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phasemark.model import Counts
from phasemark.views import distances, hottest
from phasemark.views.analysis import Analysis
from phasemark.views.places import Places
from phasemark.views.sums import Grouping
from phasemark.views.sums import gathered as gather

#: A smaller difference in share is not worth a line.
_TRACE = 0.001


@dataclass(frozen=True)
class Contrast:
    """A phase beside the most similar one of those with the same hottest function.

    Attributes:
        other: that phase.
        distance: Manhattan distance between their code, block by block, 0 to 2.
        places: where they differ most: (name, what it belongs to, share of this phase, of the other).
    """

    other: int
    distance: float
    places: list[tuple[str, str, float, float]]


def contrasts(analysis: Analysis, functions: Places, finest: Places, top: int) -> list[Contrast | None]:
    """One a phase; None where no other has its hottest function.

    Args:
        analysis: of a run.
        functions, finest: of its blocks; their source lines, and where these are not known the blocks.
        top: places named, at most.
    """
    sums, k = analysis.of_phases, analysis.phases.k
    hot = hottest.hottest(sums, np.arange(k), functions, 1).place[:, 0]
    found: list[Contrast | None] = [None] * k
    groups = [np.flatnonzero(hot == function) for function in np.unique(hot[hot >= 0])]
    alike = [group for group in groups if len(group) > 1]
    if not alike:
        return found
    far = distances.manhattan(sums, np.arange(k + 1))
    of_places = shares(sums, finest)
    np.fill_diagonal(far, np.inf)
    for group in alike:
        for phase in group.tolist():
            other = int(group[np.argmin(far[phase, group])])
            named = _differing(of_places[phase], of_places[other], finest, top)
            found[phase] = Contrast(other, float(far[phase, other]), named)
    return found


def shares(sums: Counts, finest: Places) -> Any:
    """Share of each place in its phase's instructions, phases x places (SciPy CSR)."""
    k = len(sums)
    (gathered,) = gather(sums, Grouping(np.arange(k), k, finest.of_block, max(1, len(finest.names))))
    table = gathered.to_scipy().astype(np.float64)
    table.data /= np.repeat(gathered.row_sums(), np.diff(gathered.indptr))
    return table


def _differing(here: Any, there: Any, finest: Places, top: int) -> list[tuple[str, str, float, float]]:
    """The places in which two rows differ most; of equals the one that comes first in the code."""
    places = np.union1d(here.indices, there.indices)
    mine, others = (np.asarray(row[:, places].todense()).ravel() for row in (here, there))
    order = np.lexsort((places, -np.abs(mine - others)))[:top]
    return [
        (*finest.names[places[at]], float(mine[at]), float(others[at]))
        for at in order.tolist()
        if abs(mine[at] - others[at]) >= _TRACE
    ]
