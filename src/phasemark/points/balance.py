"""Of many random samples the one whose vectors are nearest to the run's: a balanced sample.

What goes with the vectors is then estimated better than by the first sample that comes, as a regression on
them would do, and no model has to be believed (rejective sampling: Fuller, "Some design properties of a
rejective sampling procedure", Biometrika 2009; balanced sampling: Deville and Tille, Biometrika 2004).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.points.order import random_words
from phasemark.points.population import Population
from phasemark.points.stratified import ordered

#: Samples of which one is taken. More are hardly better, and one in very many would be no random sample.
DRAWS = 128

#: Numbers of vectors that are looked at together: more would take memory, and no less time.
_AT_ONCE = 2**22


def balanced(
    population: Population,
    counts: NDArray[np.int64],
    matrix: NDArray[np.float64],
    seed: int,
    draws: int = DRAWS,
) -> NDArray[np.int64]:
    """Where in its random order each phase's points begin, so that the sample is balanced.

    Each draw begins at a random place of each phase, the first at the first; taken is the one whose weighted
    mean of vectors is nearest to that of all intervals, of equals the first.

    Args:
        population: to choose from.
        counts: how many of each phase, k int64, at most its size.
        matrix: vectors of its n intervals, n x d.
        seed: of the choice.
        draws: samples to choose among.

    Returns:
        k int64, for `Population.begin`.
    """
    order, first = ordered(population, seed)
    sizes = np.diff(first)
    begin = _places(sizes, draws, seed)
    off = np.zeros((draws, matrix.shape[1]))
    # einsum adds in one fixed order: BLAS would not, with other numbers of threads.
    centred = matrix - np.einsum("n,nd->d", population.weights, matrix) / population.weights.sum()
    for phase in np.flatnonzero(counts).tolist():
        # Of a phase that is taken whole all draws are the same.
        places = begin[:, phase] if counts[phase] < sizes[phase] else np.zeros(1, np.int64)
        of_phase = order[first[phase] : first[phase + 1]]
        off += population.shares[phase] * _means(places, counts[phase], of_phase, population, centred)
    return np.asarray(begin[np.argmin((off**2).sum(axis=1))], np.int64)


def _means(
    places: NDArray[np.int64],
    count: int,
    of_phase: NDArray[np.int64],
    population: Population,
    vectors: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Of draws that begin at some places of a phase's rows, and go round: weighted means of vectors."""
    means = np.empty((len(places), vectors.shape[1]))
    together = max(_AT_ONCE // max(count * vectors.shape[1], 1), 1)
    for at in range(0, len(places), together):
        steps = (places[at : at + together, None] + np.arange(count)) % len(of_phase)
        rows = of_phase[steps]
        weights = population.weights[rows]
        weights = weights / weights.sum(axis=1, keepdims=True)
        means[at : at + together] = np.einsum("rj,rjd->rd", weights, vectors[rows])
    return means


def _places(sizes: NDArray[np.int64], draws: int, seed: int) -> NDArray[np.int64]:
    """A place of each phase for each draw, draws x k; the first draw's are all 0."""
    keys = np.arange(draws * len(sizes), dtype=np.int64) - 2**62
    shares = (random_words(seed, keys) >> np.uint64(11)) / 2.0**53
    places = (shares.reshape(draws, -1) * sizes).astype(np.int64)
    places[0] = 0
    return places
