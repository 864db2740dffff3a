"""The variance of an estimate from points, as the method that chose them allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Points


@dataclass(frozen=True)
class Sample:
    """The measured points of one metric.

    Attributes:
        method: how they were chosen.
        stratum: of each point, int64 from 0.
        length: instructions of each point.
        weight: of each point; they sum to 1.
        residual: of each point, in units of the ratio.
        population: intervals of each stratum; 0 where not known.
    """

    method: str
    stratum: NDArray[np.int64]
    length: NDArray[np.float64]
    weight: NDArray[np.float64]
    residual: NDArray[np.float64]
    population: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        points: Points,
        there: NDArray[np.bool_],
        weight: NDArray[np.float64],
        residual: NDArray[np.float64],
    ) -> Sample:
        """Those of `points` that are `there`; weight and residual have a row for each of them."""
        _, first, stratum = np.unique(points.stratum[there], return_index=True, return_inverse=True)
        length = (points.end - points.start)[there].astype(np.float64)
        return cls(points.method, stratum, length, weight, residual, points.population[there][first])


@dataclass(frozen=True)
class Variance:
    """A variance and how well it is known.

    Attributes:
        variance: NaN where it is not known.
        degrees_of_freedom: infinite where nothing is uncertain about it.
    """

    variance: float
    degrees_of_freedom: float


def of(sample: Sample, uncovered: float = 0.0) -> Variance:
    """Variance of the weighted sum of residuals, and what the uncovered share adds.

    Args:
        sample: the measured points.
        uncovered: share of the run that no measured point stands for. Its residual is taken to be off by
            the deviation among the points.
    """
    if sample.method in ("start", "skip"):
        return Variance(math.nan, 0.0)
    borrowed = uncovered**2 if uncovered > 1e-12 else 0.0
    if sample.method == "systematic":
        parts = [_along_time(sample)]
    else:
        several, alone = _strata(sample)
        parts, borrowed = several, borrowed + alone
    if borrowed:
        among = _among(sample)
        parts.append(Variance(borrowed * among.variance, among.degrees_of_freedom))
    return _sum(parts)


def notes(points: Points) -> list[str]:
    """What a reader must know of how variances came about."""
    if points.method in ("start", "skip"):
        return [f"points of method {points.method} say nothing of the rest of the run: no error bar"]
    counts = np.bincount(points.stratum)
    alone = counts[points.stratum] == 1
    unsure = alone & (points.population != 1)
    if not unsure.any():
        return []
    return [
        f"{np.count_nonzero(unsure)} phases have a single point: their deviation is taken to be that among "
        "all points"
    ]


def _strata(sample: Sample) -> tuple[list[Variance], float]:
    """One variance a stratum: W^2 (1 - n/N) s^2 / n (Cochran, section 5.5).

    And, for strata of a single point, the sum of W^2 (1 - 1/N), to which a borrowed variance belongs.
    """
    parts, borrowed = [], 0.0
    for stratum, n in enumerate(np.bincount(sample.stratum).tolist()):
        own = sample.stratum == stratum
        part = float(sample.weight[own].sum()) ** 2 * _unseen(n, int(sample.population[stratum]))
        if n == 1:
            borrowed += part
        elif part:
            off = _deviations(sample.residual[own], sample.length[own])
            parts.append(Variance(part * float(off @ off) / (n - 1) / n, n - 1))
    return parts, borrowed


def _unseen(n: int, population: int) -> float:
    """The finite-population correction 1 - n/N; 1 where N is not known."""
    return max(1 - n / population, 0.0) if population else 1.0


def _deviations(residual: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
    """Residuals from their mean, both weighed with the intervals' lengths."""
    mean = float(residual @ length) / float(length.sum())
    return np.asarray((residual - mean) * length / length.mean(), np.float64)


def _among(sample: Sample) -> Variance:
    """The variance of a point among all points, by weight; not known of a single one."""
    n = len(sample.residual)
    if n < 2:
        return Variance(math.nan, 0.0)
    off = sample.residual - float(sample.weight @ sample.residual)
    return Variance(float(sample.weight @ off**2) * n / (n - 1), n - 1)


def _along_time(sample: Sample) -> Variance:
    """From differences of successive points (Wolter, Introduction to Variance Estimation, section 8.2).

    A systematic sample has no variance of its own; neighbours differ by less than any two points do where
    the run drifts. Degrees of freedom: those of the mean squared difference (von Neumann et al. 1941).
    """
    n = len(sample.residual)
    unseen = _unseen(n, int(sample.population[0]))
    if not unseen:
        return Variance(0.0, math.inf)
    if n < 2:
        return Variance(math.nan, 0.0)
    steps = np.diff(sample.residual)
    return Variance(unseen * float(steps @ steps) / 2 / (n - 1) / n, 2 * (n - 1) ** 2 / (3 * n - 4))


def _sum(parts: list[Variance]) -> Variance:
    """Independent variances added up; degrees of freedom after Satterthwaite (1946)."""
    total = sum(part.variance for part in parts)
    if math.isnan(total):
        return Variance(math.nan, 0.0)
    if total == 0:
        return Variance(0.0, math.inf)
    spread = sum(part.variance**2 / part.degrees_of_freedom for part in parts if part.variance)
    return Variance(total, total**2 / spread if spread else math.inf)
