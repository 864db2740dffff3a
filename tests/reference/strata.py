"""The estimate from random points of strata, point by point, by the textbook (Cochran, chapters 5 and 6).

The expansion estimator: a point of n of the N intervals of its stratum stands for N / n of them.
"""

from __future__ import annotations


def ratio(
    tops: list[float], bottoms: list[float], strata: list[int], sizes: dict[int, int]
) -> tuple[float, float]:
    """A ratio of sums over the whole run, and its variance by the strata's own deviations.

    Args:
        tops, bottoms: numerator and denominator at each point.
        strata: of each point.
        sizes: intervals of each stratum.
    """
    top = bottom = 0.0
    for stratum, size in sizes.items():
        own = [row for row, of in enumerate(strata) if of == stratum]
        top += size * sum(tops[row] for row in own) / len(own)
        bottom += size * sum(bottoms[row] for row in own) / len(own)
    value = top / bottom
    variance = 0.0
    for stratum, size in sizes.items():
        own = [tops[row] - value * bottoms[row] for row, of in enumerate(strata) if of == stratum]
        n = len(own)
        if n > 1:
            mean = sum(own) / n
            squares = sum((one - mean) ** 2 for one in own) / (n - 1)
            variance += size**2 * (1 - n / size) * squares / n
    return value, variance / bottom**2
