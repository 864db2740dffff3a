"""How many points an error needs: where a curve over numbers of points falls below it for good."""

from __future__ import annotations

import math
from collections.abc import Sequence


def fewest(budgets: Sequence[int], values: Sequence[float], target: float) -> float:
    """The fewest points from which on the values are at most the target.

    Between two numbers of points that were tried, a curve is taken to be straight on logarithmic axes.

    Args:
        budgets: numbers of points, ascending.
        values: error or half-width at each; NaN where it is not known, which is never enough.
        target: that is not to be exceeded.

    Returns:
        A number of points, no whole one; the first budget where that is enough; inf where none is.
    """
    above = [i for i, value in enumerate(values) if not value <= target]
    if not above:
        return float(budgets[0])
    last = above[-1]
    if last + 1 == len(budgets):
        return math.inf
    left, right = values[last], max(values[last + 1], 1e-12)
    if math.isnan(left) or math.isinf(left):
        return float(budgets[last + 1])
    part = math.log(left / target) / math.log(left / right)
    return math.exp((1 - part) * math.log(budgets[last]) + part * math.log(budgets[last + 1]))
