"""Systematic sampling with the error bar of a random sample: SMARTS.

Wunderlich, Wenisch, Falsafi and Hoe, "SMARTS: accelerating microarchitecture simulation via rigorous
statistical sampling" (ISCA 2003): every so-many-th unit of the run, from a random one on; the coefficient of
variation V among the units that were measured gives the interval, value +- z V / sqrt(n), and the number of
units that an error needs, n = (z V / error)^2, as of a simple random sample.

Units of SMARTS have 1,000 instructions and are ten thousand in number, with caches and predictors kept warm
all along. Intervals of a profile have a million and more, and a run has some hundreds of them: the same rule
with units a thousand times as long, whose V is smaller, and of which fewer are needed. For so few units the
finite-population correction matters, and is made.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from baselines.sums import Sums
from phasemark.estimates.trials import Trial


def trial(sums: Sums, rows: NDArray[np.int64], confidence: float) -> Trial:
    """One systematic sample, by the intervals in it, beside the whole run."""
    every, n = len(sums.top), len(rows)
    top, bottom = sums.top[rows], sums.bottom[rows]
    value = float(top.sum() / bottom.sum())
    off = (top - value * bottom) / bottom.mean()
    error = math.sqrt(float(off @ off) / max(n - 1, 1) / n * (1 - n / every))
    half = _z(confidence) * error
    return Trial(n, value, (value - half, value + half), sums.truth)


def needed(sums: Sums, error: float, confidence: float) -> int:
    """Intervals that a relative error needs, by the V of all of them, of as many as there are."""
    every = len(sums.top)
    off = (sums.top - sums.truth * sums.bottom) / sums.bottom.mean()
    v = math.sqrt(float(off @ off) / (every - 1)) / sums.truth
    n = (_z(confidence) * v / error) ** 2
    return math.ceil(n / (1 + n / every))


def _z(confidence: float) -> float:
    return float(ndtri((1 + confidence) / 2))
