"""The eight choices of points of "Probabilistic generative models", section 1.3.

T_s are the intervals whose phase is s, o an interval's counts of instructions in each block, n = o / |o|_1
its shares, and theta_s the shares in which phase s executes the blocks. They need counts and phases alone, so
that they choose among SimPoint's phases too.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.model.points import FROM_ALL
from phasemark.points.observed import Observed
from phasemark.points.population import Population
from phasemark.points.ranking import Keys, best_rows


class _Ranking(Protocol):
    """What a selector ranks by."""

    def __call__(self, population: Population, observed: Observed) -> Keys: ...


class Selector:
    """A method of `points.METHODS` that ranks intervals by what they execute; of equals the middle one.

    Args:
        name: of the method.
        ranking: what it ranks by.
    """

    def __init__(self, name: str, ranking: _Ranking) -> None:
        self._name, self._ranking = name, ranking

    def __call__(self, population: Population, counts: NDArray[np.int64], seed: int = 0) -> NDArray[np.int64]:
        """Rows phase by phase, see `points.methods.Method`; the seed is of no use.

        Raises:
            UsageError: nobody knows what the intervals execute, or with which probability they are in a
                phase, where that is needed.
            DataError: the counts are malformed, or of other intervals.
        """
        if self._name == "max-posterior" and population.phases.posterior is None:
            model = population.phases.model.get("method", "their model")
            raise UsageError(
                f"method max-posterior needs the probability of each phase, and {model} gives none",
                hint="take max-likelihood-1, or find the phases with the model mixture, hmm or hsmm",
            )
        keys = self._ranking(population, Observed.of(population, self._name))
        return best_rows(population, counts, keys, from_all=self._name in FROM_ALL)


def _by_likelihood(population: Population, observed: Observed) -> Keys:
    """MAXLIKELIHOOD1, 2: max P(o | s), over T_s or over all intervals."""
    likelihoods = observed.log_likelihoods()
    return lambda phase, rows: (-likelihoods[rows, phase],)


def _by_posterior(population: Population, observed: Observed) -> Keys:
    """MAXPOSTERIOR: max P(s | o); what is equally probable, by likelihood."""
    posterior, likelihoods = population.phases.posterior, observed.log_likelihoods()
    assert posterior is not None
    return lambda phase, rows: (-posterior[rows, phase], -likelihoods[rows, phase])


def _by_mean(population: Population, observed: Observed) -> Keys:
    """CLUSTERCENTER: min |o - c_s|_2, c_s being the mean of o over T_s."""
    labels, counted = population.phases.labels, population.counted
    return lambda phase, rows: (observed.from_mean(np.flatnonzero(counted & (labels == phase)), rows),)


#: Name -> method. OBSMODELDIST1 to 4: min |n - theta_s|_1, |n - theta_s|_2, KL(n || theta_s), and
#: KL(n || theta_s) + KL(theta_s || n), over T_s.
SELECTORS: dict[str, Selector] = {
    name: Selector(name, ranking)
    for name, ranking in (
        ("max-likelihood-1", _by_likelihood),
        ("max-likelihood-2", _by_likelihood),
        ("obs-model-dist-1", lambda _, observed: lambda *which: (observed.manhattan(*which),)),
        ("obs-model-dist-2", lambda _, observed: lambda *which: (observed.euclidean(*which),)),
        ("obs-model-dist-3", lambda _, observed: lambda *which: (observed.divergence(*which),)),
        ("obs-model-dist-4", lambda _, observed: lambda *which: (observed.symmetric_divergence(*which),)),
        ("cluster-center", _by_mean),
        ("max-posterior", _by_posterior),
    )
}
