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


def thread_ratio(
    intervals: Sequence[tuple[int, int, float, float]], sampled: Sequence[int], thread: int
) -> tuple[float, float]:
    """Estimate and squared standard error of a thread's sum(y) / sum(x), from a sample of all threads.

    An interval that was not sampled is as those sampled of its phase, which varies like any mean, and it
    varies itself, as they do.

    Args:
        intervals: thread, phase, y, x of each.
        sampled: rows of these, of each phase at least two.
        thread: which.
    """
    phases = sorted({phase for of, phase, _, _ in intervals if of == thread})
    samples = {p: [intervals[row] for row in sampled if intervals[row][1] == p] for p in phases}
    rest = dict.fromkeys(phases, 0)
    total_y = total_x = 0.0
    for row, (of, phase, y, x) in enumerate(intervals):
        if of != thread:
            continue
        if row in sampled:
            total_y, total_x = total_y + y, total_x + x
        else:
            rest[phase] += 1
            total_y += sum(s[2] for s in samples[phase]) / len(samples[phase])
            total_x += sum(s[3] for s in samples[phase]) / len(samples[phase])
    estimate, variance = total_y / total_x, 0.0
    for phase in phases:
        n = len(samples[phase])
        off = [y - estimate * x for _, _, y, x in samples[phase]]
        squared = sum((e - sum(off) / n) ** 2 for e in off) / (n - 1)
        variance += rest[phase] ** 2 * squared / n + rest[phase] * squared
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
