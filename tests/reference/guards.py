"""The difference estimator with a ratio, interval by interval, by the textbook (Cochran, chapters 5 to 7).

An interval that was not measured is as the points of its phase say; what that is off by, the differences at
random intervals tell, each of n of the N intervals of its stratum for N / n of them.
"""

from __future__ import annotations

Rate = tuple[float, float]


def ratio(
    phases: list[int], points: dict[int, Rate], guards: dict[int, tuple[int, Rate]], sizes: dict[int, int]
) -> tuple[float, float, float]:
    """A ratio of sums over a run of intervals of one length.

    Args:
        phases: of every interval.
        points: row of each point -> numerator and denominator there; one of each phase.
        guards: row of each guard -> its stratum, and what was measured there.
        sizes: intervals of each stratum, points apart.

    Returns:
        By the points alone; with the differences; the variance of that.
    """
    says = {phases[row]: rate for row, rate in points.items()}
    alone = [sum(says[phase][part] for phase in phases) for part in (0, 1)]
    total = list(alone)
    for stratum, size in sizes.items():
        own = [(row, rate) for row, (of, rate) in guards.items() if of == stratum]
        for row, rate in own:
            for part in (0, 1):
                total[part] += size / len(own) * (rate[part] - says[phases[row]][part])
    value, variance = total[0] / total[1], 0.0
    for stratum, size in sizes.items():
        off = []
        for row, (of, rate) in guards.items():
            if of == stratum:
                said = says[phases[row]]
                off.append(rate[0] - said[0] - value * (rate[1] - said[1]))
        n = len(off)
        if n > 1:
            mean = sum(off) / n
            variance += size**2 * (1 - n / size) * sum((one - mean) ** 2 for one in off) / (n - 1) / n
    return alone[0] / alone[1], value, variance / total[1] ** 2
