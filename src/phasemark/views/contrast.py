"""Contrast: how phases differ that spend most of their instructions in one and the same function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Counts
from phasemark.views import distances, hottest
from phasemark.views.analysis import Analysis
from phasemark.views.places import Places

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
    vectors, labels = analysis.profile.vectors, analysis.phases.labels.astype(np.int64)
    k = analysis.phases.k
    hot = hottest.hottest(vectors, labels, functions, 1).place[:, 0]
    found: list[Contrast | None] = [None] * k
    groups = [np.flatnonzero(hot == function) for function in np.unique(hot[hot >= 0])]
    alike = [group for group in groups if len(group) > 1]
    if not alike:
        return found
    far = distances.manhattan(_summed(vectors, labels, k), np.arange(k + 1))
    of_places = shares(vectors, labels, finest, k)
    np.fill_diagonal(far, np.inf)
    for group in alike:
        for phase in group.tolist():
            other = int(group[np.argmin(far[phase, group])])
            named = _differing(of_places[phase], of_places[other], finest, top)
            found[phase] = Contrast(other, float(far[phase, other]), named)
    return found


def _summed(vectors: Counts, labels: NDArray[np.int64], k: int) -> Counts:
    """Instructions of each phase, phases x blocks."""
    table = _table(vectors, labels, vectors.indices, (k, vectors.columns))
    return Counts(table.indptr, table.indices, table.data, vectors.columns)


def shares(vectors: Counts, labels: NDArray[np.int64], finest: Places, k: int) -> Any:
    """Share of each place in its phase's instructions, phases x places (SciPy CSR)."""
    table = _table(vectors, labels, finest.of_block[vectors.indices], (k, max(1, len(finest.names))))
    totals = np.repeat(np.asarray(table.sum(axis=1)).ravel(), np.diff(table.indptr))
    table.data = table.data / totals
    return table


def _table(vectors: Counts, labels: NDArray[np.int64], columns: NDArray[Any], shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_matrix

    rows = np.repeat(labels, np.diff(vectors.indptr))
    table = csr_matrix((vectors.data, (rows, columns)), shape=shape)
    table.sum_duplicates()
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
