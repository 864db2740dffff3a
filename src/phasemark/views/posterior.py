"""Posterior: how sure a model is of each interval's phase ("Probabilistic generative models", figure 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.views import bins
from phasemark.views.analysis import Analysis
from phasemark.views.threads import Thread

#: Columns of the picture, at most.
COLUMNS = 2000
#: A phase that is less probable than this is not sure.
SURE = 0.9


@dataclass(frozen=True, eq=False)
class Posterior:
    """The probability of each phase over a thread.

    Attributes:
        edges: of c columns, c + 1 doubles, instructions of the thread.
        probability: k x c doubles, means over the intervals of a column by instructions; columns sum to 1.
        intervals, unsure: of the thread; those whose most probable phase has less than SURE.
    """

    edges: NDArray[np.float64]
    probability: NDArray[np.float64]
    intervals: int
    unsure: int


def posterior(analysis: Analysis, thread: Thread) -> Posterior | None:
    """The posterior of a thread's intervals; None of a model that knows no probabilities."""
    if analysis.phases.posterior is None:
        return None
    own, table = analysis.phases.posterior[thread.rows], analysis.profile.interval_table
    start, length = table.start[thread.rows], table.length[thread.rows]
    first = np.arange(len(own)) == 0
    bounds = bins.cut(first, COLUMNS)[:-1]
    # An interval without an instruction has no width, but it has a place.
    weights = np.maximum(length, 1e-9)
    sums = np.add.reduceat(own * weights[:, None], bounds)
    probability = sums / np.add.reduceat(weights, bounds)[:, None]
    edges = np.append(start[bounds], start[-1] + length[-1]).astype(np.float64)
    return Posterior(edges, probability.T, len(own), int(np.count_nonzero(own.max(axis=1) < SURE)))
