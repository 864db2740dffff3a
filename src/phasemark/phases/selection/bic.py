"""Choosing k by the Bayesian information criterion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phasemark.phases import search
from phasemark.phases.selection.evidence import Evidence

#: Correlation below which intervals count as independent.
_UNCORRELATED = 0.05

#: Distances within phases that count as none: of the typical one from the mean of the run, and of the typical
#: vector's length.
_OF_SPREAD = 0.05
_OF_LENGTH = 0.02


def threshold(evidence: Evidence) -> int:
    """The smallest k that reaches `threshold` of the way from the lowest score to the highest.

    SimPoint's rule; see `phasemark.phases.search.choose`.
    """
    scores = dict(zip(evidence.ks.tolist(), evidence.scores.tolist(), strict=True))
    return search.choose(scores, evidence.threshold)


def resolved(evidence: Evidence) -> int:
    """SimPoint's rule, where differences too small to matter earn next to nothing.

    The likelihood of a Gaussian rises without end as its variance falls. Intervals that follow what a program
    repeats are so alike that each further split of a millionth of the variance pays. Here the variance is
    fitted from a resolution on: 5% of the run's spread or 2% of the vectors' length.
    """
    x, weights = evidence.observations.x, evidence.observations.weights
    length = float(weights @ np.square(x).sum(axis=1))
    resolution = max(_OF_SPREAD**2 * evidence.whole_error, _OF_LENGTH**2 * length, evidence.least_error)
    part = np.maximum(evidence.errors, evidence.least_error) / resolution
    # n d / 2 (ln v + error / v) is least at v = error, where the score has it.
    loss = np.where(part < 1, part - 1 - np.log(part), 0.0)
    return threshold(replace(evidence, scores=evidence.scores - evidence.score_n * evidence.dims / 2 * loss))


def correlated(evidence: Evidence) -> int:
    """The k of the highest BIC, counting only as many intervals as are independent of one another.

    BIC holds for independent observations. Neighbouring intervals mostly repeat one another, so that the
    likelihood of n of them counts the same evidence many times, outweighs the penalty and rises with every
    k. Here n is divided by the autocorrelation time of the vectors, about the length of a stretch of one
    phase.
    """
    run = evidence.observations
    n = max(run.effective_n() / autocorrelation_time(run.x, run.weights), 2.0)
    likelihood = (evidence.scores + _penalty(evidence, evidence.score_n)) / evidence.score_n
    return int(evidence.ks[np.argmax(n * likelihood - _penalty(evidence, n))])


def autocorrelation_time(x: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> float:
    """1 + 2 x the sum of the autocorrelations of a series, up to the first that is negligible.

    So many successive observations tell as much as one independent one (Sokal, "Monte Carlo methods in
    statistical mechanics", section 3).

    Args:
        x: n x d points in order of time; the dimensions' autocovariances are added up.
        weights: n doubles that sum to 1, with which each point counts; None: all equal.
    """
    n = len(x)
    weights = np.full(n, 1 / n) if weights is None else weights
    centred = (x - weights @ x) * np.sqrt(n * weights)[:, None]
    power = np.square(np.abs(np.fft.rfft(centred, 2 * n, axis=0))).sum(axis=1)
    covariance = np.fft.irfft(power)[:n]
    if covariance[0] <= 0:
        return 1.0
    correlation = covariance[1:] / covariance[0]
    negligible = np.append(correlation <= _UNCORRELATED, True)
    return float(1.0 + 2.0 * correlation[: int(np.argmax(negligible))].sum())


def _penalty(evidence: Evidence, n: float) -> NDArray[np.float64]:
    parameters = (evidence.ks - 1) + evidence.ks * evidence.dims + 1
    return np.asarray(parameters / 2 * np.log(n), np.float64)
