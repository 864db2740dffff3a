"""Intervals that are not like their stratum, and that no point may have hit: what they may cost.

Two points of a stratum are alike far more often than the stratum is: where two intervals of sixty run cold,
five points miss both in five cases of six. The variance of the points is then too small, and on average just
large enough, which is of no help to who has one sample. So the error bar allows for strangers: a share of the
intervals, whatever their code, is taken to be as any point of the run, wherever it lies.

None seen among n random intervals leaves a share of about 1/n to be expected (the rule of succession) and 3/n
to be feared (the rule of three, see phasemark.estimates.unseen). Where strata tell more than code, fewer are
left (phasemark.estimates.calibration).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def share(points: int, seen: float, falls: int = 1) -> float:
    """Which share of the intervals is taken to be strangers, where so many points were measured.

    Args:
        points: that were measured.
        seen: strangers among them and one more that this allows for.
        falls: the power with which the share falls with the points.
    """
    return min(seen / (points + 1), 1.0) ** falls


def squares(
    values: NDArray[np.float64], weights: NDArray[np.float64], means: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far the points of the run lie below and above each stratum's mean: weighed sums of squares.

    Apart, since a stratum of the run's cheapest intervals has no cheaper strangers: what it misses makes its
    estimate too low, never too high.

    Args:
        values: of the points, n doubles.
        weights: of the points; they sum to 1 where lengths are alike, else a longer one counts for more.
        means: of the strata, k doubles.

    Returns:
        Below and above, k doubles each.
    """
    off = values[None, :] - means[:, None]
    below, above = np.minimum(off, 0.0) ** 2 @ weights, np.maximum(off, 0.0) ** 2 @ weights
    return np.asarray(below, np.float64), np.asarray(above, np.float64)
