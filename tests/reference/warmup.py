"""What a longer warm-up changes a ratio by, draw by draw, by the textbook (Cochran, chapters 9A and 12)."""

from __future__ import annotations

Rate = tuple[float, float]


def bias(
    weights: list[float], before: list[Rate], after: dict[int, Rate], draws: list[int], cold: list[bool]
) -> tuple[float, float]:
    """How much the ratio is too high, and the variance of that.

    Args:
        weights: of the points; they sum to 1.
        before: numerator and denominator at each point, all of one length.
        after: row -> the same with the longer warm-up.
        draws: how many fell on each point, in proportion to the weights of those that may be cold.
        cold: which may be.
    """
    total = [
        sum(weight * rate[part] for weight, rate in zip(weights, before, strict=True)) for part in (0, 1)
    ]
    share = sum(weight for weight, may in zip(weights, cold, strict=True) if may)
    each = [row for row, times in enumerate(draws) for _ in range(times)]
    n = len(each)
    changes = [[share * (before[row][part] - after[row][part]) for row in each] for part in (0, 1)]
    warm = [total[part] - sum(changes[part]) / n for part in (0, 1)]
    value = warm[0] / warm[1]
    off = [(top - value * bottom) / warm[1] for top, bottom in zip(*changes, strict=True)]
    mean = sum(off) / n
    return total[0] / total[1] - value, sum((one - mean) ** 2 for one in off) / (n - 1) / n
