"""The combined ratio estimator of stratified sampling in plain Python (Cochran, sections 5.5 and 6.11)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def ratio(strata: Sequence[Sequence[tuple[float, float]]], populations: Sequence[int]) -> tuple[float, float]:
    """Estimate and squared standard error of sum(y) / sum(x) over a population.

    Args:
        strata: the sampled (y, x) of each stratum, at least two unless it was sampled whole.
        populations: how many each stratum has.
    """
    total_y = total_x = 0.0
    for sample, population in zip(strata, populations, strict=True):
        total_y += population * sum(y for y, _ in sample) / len(sample)
        total_x += population * sum(x for _, x in sample) / len(sample)
    estimate = total_y / total_x
    variance = 0.0
    for sample, population in zip(strata, populations, strict=True):
        n = len(sample)
        if n == population:
            continue
        off = [y - estimate * x for y, x in sample]
        mean = sum(off) / n
        squared = sum((e - mean) ** 2 for e in off) / (n - 1)
        variance += population * (population - n) * squared / n
    return estimate, variance / total_x**2


def of_differences(values: Sequence[float], population: int) -> float:
    """Variance of the mean of evenly spaced measurements (Wolter, section 8.2, v2)."""
    n = len(values)
    total = sum((later - earlier) ** 2 for earlier, later in itertools.pairwise(values))
    return (1 - n / population) * total / (2 * (n - 1)) / n


def relative_error(measured: Sequence[float], estimated: Sequence[float]) -> float:
    """E_R of "Probabilistic generative models", section 3."""
    return abs(sum(measured) - sum(estimated)) / sum(measured)


def interval_error(measured: Sequence[float], estimated: Sequence[float]) -> float:
    """E_I of "Probabilistic generative models", section 3."""
    total = 0.0
    for true, guess in zip(measured, estimated, strict=True):
        total += abs(true - guess) / true
    return total / len(measured)
