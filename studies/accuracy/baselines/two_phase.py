"""Double sampling for stratification: a large cheap sample makes strata, a small dear one is drawn from them.

Cochran, "Sampling Techniques" (3rd edition, chapter 12); brought to simulation by Ekman, "CPU simulation
using two-phase stratified sampling" (arXiv 2603.22605, 2026): a large preliminary random sample for the
strata, and points drawn from these. How it is done here:

* first phase: a random half of the intervals, or all of them, simulated by another machine than the one to be
  told of;
* strata: of that machine's CPI, as many as give four points to each, at most 20, by the cumulative root of
  the frequencies (Dalenius and Hodges; Cochran, section 5A.7);
* second phase: random points of each stratum, in proportion to its size times its deviation on the other
  machine (Neyman), two at least;
* the variance is the second phase's within strata, and the first phase's as of a random sample; Student's t
  with n - strata degrees of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from baselines.sums import Sums
from phasemark.estimates import planning
from phasemark.estimates.trials import Trial

HALF, ALL = 0.5, 1.0

_EACH, _MOST, _BINS = 4, 20, 200


@dataclass(frozen=True)
class Sample:
    """What was drawn.

    Attributes:
        rows: of the intervals in the second phase.
        stratum: of each of these.
        sizes: how many of the first phase each stratum has.
        every: intervals of the run.
    """

    rows: NDArray[np.int64]
    stratum: NDArray[np.int64]
    sizes: NDArray[np.int64]
    every: int


def draw(cpi: NDArray[np.float64], n: int, seed: int, share: float) -> Sample:
    """Draw n intervals of those of a first phase.

    Args:
        cpi: of every interval on the other machine; looked at where the first phase is.
        n: points.
        seed: of both phases.
        share: of the intervals in the first phase, which has twice as many as there are points at least.
    """
    random = np.random.default_rng([seed, n])
    every = len(cpi)
    first = min(every, max(round(share * every), 2 * n))
    rows = np.sort(random.permutation(every)[:first])
    strata = by_root_of_frequency(cpi[rows], max(2, min(n // _EACH, _MOST)))
    sizes = np.bincount(strata)
    deviations = np.array([cpi[rows[strata == h]].std() for h in range(len(sizes))])
    counts = planning.for_budget(min(n, first), sizes, np.maximum(deviations, 1e-6 * cpi.mean()))
    drawn = [random.permutation(rows[strata == h])[:count] for h, count in enumerate(counts)]
    return Sample(np.concatenate(drawn), np.repeat(np.arange(len(sizes)), counts), sizes, every)


def by_root_of_frequency(values: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """At most k strata with equal shares of the cumulative root of the frequencies, from low to high."""
    counts, edges = np.histogram(values, bins=_BINS)
    roots = np.sqrt(counts)
    # A bin goes where its middle is: one that fills several strata alone takes no neighbour with it.
    part = ((np.cumsum(roots) - roots / 2) * k / roots.sum()).astype(np.int64)
    bins = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BINS - 1)
    return np.unique(part[bins], return_inverse=True)[1].astype(np.int64)


def trial(sums: Sums, sample: Sample, confidence: float) -> Trial:
    """The estimate from a sample beside the whole run."""
    n = np.bincount(sample.stratum, minlength=len(sample.sizes))
    drawn = n > 0
    weight = np.where(drawn, sample.sizes, 0) / sample.sizes[drawn].sum()
    top, bottom = (_means(values[sample.rows], sample.stratum, n) for values in (sums.top, sums.bottom))
    value, base = float(weight @ top / (weight @ bottom)), float(weight @ bottom)
    off = (sums.top - value * sums.bottom)[sample.rows] / base
    mean = _means(off, sample.stratum, n)
    within = np.bincount(sample.stratum, weights=(off - mean[sample.stratum]) ** 2, minlength=len(n))
    within /= np.maximum(n - 1, 1)
    second = weight**2 * within / np.maximum(n, 1) * (1 - n / sample.sizes)
    among = float(weight @ (within + mean**2)) * max(1 / sample.sizes.sum() - 1 / sample.every, 0.0)
    degrees = max(float((n[drawn] - 1).sum()), 1.0)
    half = float(stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(float(second.sum()) + among)
    return Trial(len(sample.rows), value, (value - half, value + half), sums.truth)


def _means(
    values: NDArray[np.float64], stratum: NDArray[np.int64], n: NDArray[np.int64]
) -> NDArray[np.float64]:
    return np.bincount(stratum, weights=values, minlength=len(n)) / np.maximum(n, 1)
