"""Events that no point saw: how many there may be in the rest of the run all the same.

Where none of n random intervals has an event, the share of all intervals that have one is below about 3/n
with a confidence of 95%: the rule of three (Hanley and Lippman-Hand, "If nothing goes wrong, is everything
all right?", JAMA 249, 1983). How many events such an interval has, no point tells. At most every access is
one: every reference a miss, every branch mispredicted.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phasemark.estimates.rates import is_part
from phasemark.estimates.variance import Sample, tells_nothing
from phasemark.model import Ratio


def share_of_run(sample: Sample, confidence: float, uncovered: float = 0.0) -> float:
    """The largest share of the run that may hold events, though no point of the sample saw any.

    Within strata: the largest sum of W p, for shares p of each stratum that hold events, which n points of
    each still miss with a probability of 1 - confidence: product of (1 - p)^n, p at most what was not
    measured. Of one stratum, and a population that is large, that is 1 - (1 - confidence)^(1/n). Chosen are
    intervals, not instructions: those with events are taken to be as long as the longest point of the
    stratum, so that p of its intervals are p x longest / mean of its instructions.

    Args:
        sample: the measured points.
        confidence: that the share is not larger.
        uncovered: share of the run that no measured point stands for; all of it may hold events.

    Returns:
        From 0, where everything was measured, to 1; 0 where nothing follows from the points.
    """
    if tells_nothing(sample):
        return 0.0
    n = np.bincount(sample.stratum).astype(np.float64)
    weight = np.asarray(np.bincount(sample.stratum, weights=sample.weight), np.float64)
    most = np.where(sample.population > 0, np.log(np.maximum(sample.population / n, 1.0)), math.inf)
    longest = _longest(sample)
    missed = -np.expm1(-_exponents(n, weight * longest, most, -math.log1p(-confidence)))
    share = float(weight @ np.minimum(missed * longest, 1.0))
    return min((1 - uncovered) * share + uncovered, 1.0)


def drawn(sample: Sample) -> NDArray[np.bool_]:
    """Which points stand for more than themselves: those of strata that were not measured in full."""
    n = np.bincount(sample.stratum)
    return np.asarray((sample.population == 0) | (sample.population > n), np.bool_)[sample.stratum]


def interval_of(ratio: Ratio, reach: float, *, none: bool) -> tuple[float, float]:
    """From what was seen to what may be: of events upwards from 0, of their absence downwards from 1.

    Args:
        ratio: in whose scale.
        reach: events that may be, by the denominator.
        none: no event was seen; else nothing but events.
    """
    reach = min(reach, 1.0) if is_part(ratio) else reach
    return (0.0, reach * ratio.scale) if none else ((1 - reach) * ratio.scale, ratio.scale)


def _longest(sample: Sample) -> NDArray[np.float64]:
    """The longest point of each stratum, of the mean of its points."""
    longest = np.zeros(int(sample.stratum.max()) + 1)
    np.maximum.at(longest, sample.stratum, sample.length)
    mean = np.bincount(sample.stratum, weights=sample.length) / np.bincount(sample.stratum)
    return np.asarray(longest / mean, np.float64)


def _exponents(
    n: NDArray[np.float64], weight: NDArray[np.float64], most: NDArray[np.float64], budget: float
) -> NDArray[np.float64]:
    """x = -log(1 - p) of each stratum, at most `most`, that make sum of weight x p largest.

    The sum of n x is the budget. Where neither bound holds a stratum, weight x exp(-x) / n is the same for
    all (Lagrange); the level of that is found by bisection.
    """
    if float(n @ most) <= budget:
        return most
    gain = np.log(np.maximum(weight, 1e-300) / n)
    low, high = float(gain.min()) - budget - 1.0, float(gain.max())
    for _ in range(200):
        level = (low + high) / 2
        if float(n @ np.clip(gain - level, 0.0, most)) > budget:
            low = level
        else:
            high = level
    return np.clip(gain - high, 0.0, most)
