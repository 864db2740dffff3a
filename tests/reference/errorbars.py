"""Error bars of points of strata in plain Python: the jackknife, Satterthwaite, the proxy, strangers.

Nothing here is shared with phasemark.estimates but the numbers that were calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Point(NamedTuple):
    """One measured point; residual and weight as the estimate has them."""

    stratum: int
    length: float
    weight: float
    residual: float


def jackknife(lengths: Sequence[float], values: Sequence[float]) -> float:
    """n times the variance of a mean weighed by length, each value left out in turn (Wolter, chapter 4)."""
    n, whole = len(values), _mean(lengths, values)
    total = 0.0
    for out in range(n):
        others = [row for row in range(n) if row != out]
        left = _mean([lengths[row] for row in others], [values[row] for row in others])
        total += (left - whole) ** 2
    return n * (n - 1) / n * total


def satterthwaite(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Sum of independent variances, and its degrees of freedom (1946)."""
    total = sum(variance for variance, _ in parts)
    below = sum(variance**2 / degrees for variance, degrees in parts if variance)
    return total, total**2 / below if below else math.inf


class Factors(NamedTuple):
    """What is expected of strata of code: the proxy's factor, strangers and the power of their share, and the
    variance of a balanced sample."""

    factor: float = 2
    strangers: float = 3
    power: int = 1
    balanced: float = 1


#: Of strata of code and behaviour.
BEHAVIOUR = Factors(0.8, 6, 2, 0.5)


def sides(
    points: Sequence[Point],
    sizes: dict[int, int],
    spreads: dict[int, float],
    factors: Factors = Factors(),  # noqa: B008
    balanced: int = 0,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Variance and degrees of freedom below an estimate, and above it.

    Args:
        points: measured.
        sizes: intervals of each stratum.
        spreads: of each stratum.
        factors: what is expected of such strata.
        balanced: how many of the points are a balanced sample.
    """
    own = {stratum: [point for point in points if point.stratum == stratum] for stratum in sizes}
    middle = sum(point.weight * point.residual for point in points)
    among = sum(point.weight * (point.residual - middle) ** 2 for point in points)
    among *= len(points) / (len(points) - 1)
    measured, expected, matters, means, unlike = {}, {}, {}, {}, {}
    for stratum, size in sizes.items():
        lengths, values = [p.length for p in own[stratum]], [p.residual for p in own[stratum]]
        n = len(values)
        measured[stratum] = jackknife(lengths, values) if n > 1 else 0.0
        means[stratum] = _mean(lengths, values)
        unlike[stratum] = n * sum(length**2 for length in lengths) / sum(lengths) ** 2
        expected[stratum] = (
            among * min(factors.factor * max(spreads[stratum], 0.01), 1) ** 2 * unlike[stratum]
        )
        matters[stratum] = sum(p.weight for p in own[stratum]) ** 2 * (1 - n / size) / n
    several = [stratum for stratum in sizes if len(own[stratum]) > 1 and matters[stratum] > 0]
    degrees = sum(len(own[stratum]) - 1 for stratum in several)
    proxies = sum(matters[stratum] * expected[stratum] for stratum in several)
    if proxies > 0:
        found = sum(matters[stratum] * measured[stratum] for stratum in several) / proxies
        factor = max((20 + degrees * found) / (20 + degrees), 0.6)
        expected = {stratum: expected[stratum] * factor for stratum in sizes}
    found_sides = []
    for sign in (-1, 1):
        parts, alone = [], 0.0
        for stratum in sizes:
            n = len(own[stratum])
            strange = 0.0
            for point in points:
                off = sign * (point.residual - means[stratum])
                like = [other.length for other in own[point.stratum]]
                strange += point.weight * point.length / (sum(like) / len(like)) * max(off, 0) ** 2
            prior = min(expected[stratum], among * unlike[stratum])
            prior += min(factors.strangers / (len(points) + 1), 1) ** factors.power * strange
            random = (balanced * factors.balanced + len(points) - balanced) / len(points)
            if n == 1:
                alone += random * matters[stratum] * prior
            else:
                joined = ((n - 1) * measured[stratum] + 3 * prior) / (n - 1 + 3)
                parts.append((random * matters[stratum] * max(measured[stratum], joined), n - 1 + 3))
        found_sides.append(satterthwaite([*parts, (alone, 3)]))
    return found_sides[0], found_sides[1]


def unseen_share(
    n: Sequence[int], weights: Sequence[float], sizes: Sequence[int], confidence: float, steps: int = 20_000
) -> float:
    """The largest share of the run with events that n points of each stratum miss often enough.

    The improbability that is allowed is handed out in small steps, each to the stratum where it yields most.
    """
    allowed = -math.log(1 - confidence)
    step = allowed / steps
    shares = [0.0] * len(n)
    for _ in range(steps):
        best, gain = -1, 0.0
        for stratum, count in enumerate(n):
            more = min(1 - (1 - shares[stratum]) * math.exp(-step / count), 1 - count / sizes[stratum])
            if weights[stratum] * (more - shares[stratum]) > gain:
                best, gain = stratum, weights[stratum] * (more - shares[stratum])
        if best < 0:
            break
        more = 1 - (1 - shares[best]) * math.exp(-step / n[best])
        shares[best] = min(more, 1 - n[best] / sizes[best])
    return sum(weight * share for weight, share in zip(weights, shares, strict=True))


def _mean(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
