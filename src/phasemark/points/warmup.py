"""Which points are simulated twice, to learn what their warm-up leaves cold.

What stays cold makes all points alike too slow, so that their differences do not show it. A few of them,
simulated again with a warm-up that is FACTOR times as long, do: the mean of what changes estimates the bias
(double sampling; Cochran, Sampling Techniques, chapter 12). SMARTS (Wunderlich, Wenisch, Falsafi and Hoe,
ISCA 2003) judges its warming so.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.model import Points
from phasemark.model.options import require_given, require_whole
from phasemark.model.points import MOST_DRAWS
from phasemark.points.order import uniform

#: How many times as long points that are checked are warmed up; docs/adr/0070-warm-up-is-checked.md says why.
FACTOR = 16

#: Of a single difference no deviation is known.
LEAST = 2


def check_number(n: int) -> None:
    """See that so many points can be checked.

    Raises:
        UsageError: fewer than two, or more than MOST_DRAWS.
    """
    require_given(warmup_check=n)
    require_whole(warmup_check=n)
    if not LEAST <= n <= MOST_DRAWS:
        few = f"of fewer than {LEAST} no deviation is known"
        raise UsageError(
            f"a check of the warm-up with {counted(n, 'point')}",
            hint=f"{few if n < LEAST else f'at most {MOST_DRAWS:,}'}; take 6",
        )


def with_checks(points: Points, n: int, seed: int = 1) -> Points:
    """The points, with `check`: how many of n draws fell on each.

    Draws are systematic, along the run, with a probability in proportion to the weight (Hansen and Hurwitz
    1943; Cochran, section 9A): a point of more than 1/n of the run is drawn more than once, and simulated
    once. Points whose warm-up reaches back to the beginning of their thread are not drawn: nothing of them is
    cold that is not cold in the full run.

    Args:
        points: with guards, which are not drawn, or without.
        n: draws.
        seed: of the choice.

    Raises:
        UsageError: fewer than two draws, or more than MOST_DRAWS.
    """
    check_number(n)
    weight = np.where(may_be_cold(points), points.weight, 0.0)
    if not weight.sum() > 0:
        return points
    reached = np.cumsum(weight) / weight.sum()
    draws = (uniform(seed, _KEY) + np.arange(n)) / n
    rows = np.minimum(np.searchsorted(reached, draws, side="right"), np.flatnonzero(weight)[-1])
    return dataclasses.replace(points, check=np.bincount(rows, minlength=len(points)))


#: Of the random number, so that it is no other choice's.
_KEY = 0x70


def may_be_cold(points: Points) -> NDArray[np.bool_]:
    """Which points begin after their warm-up: of the others it is the whole of their thread before them."""
    return np.asarray((points.start > points.warmup) & (points.weight > 0), np.bool_)


def checked(points: Points) -> Points:
    """The points that are simulated again, each with FACTOR times its warm-up, clipped at its thread's start.

    Returns:
        Their weight is the share of the draws that fell on them.

    Raises:
        DataError: no point is to be checked, or they have no warm-up of which there could be more.
    """
    if points.check is None or not points.check.any():
        raise DataError("no point's warm-up is to be checked", hint="phasemark points DIR --warmup-check 6")
    rows = np.flatnonzero(points.check)
    if not points.warmup[rows].any():
        raise DataError(
            "the points have no warm-up of which there could be more",
            hint="say how long it is: phasemark points DIR --warmup 1M --warmup-check 6",
        )
    return subset(points, rows, warmup=np.minimum(points.start[rows], FACTOR * points.warmup[rows]))


def subset(points: Points, rows: NDArray[np.int64], warmup: NDArray[np.int64]) -> Points:
    """Points that are checked, with another warm-up."""
    assert points.check is not None
    arrays = {name: values for name, values in vars(points).items() if isinstance(values, np.ndarray)}
    columns: dict[str, Any] = {name: values[rows] for name, values in arrays.items()}
    drawn = points.check[rows]
    columns |= {"warmup": warmup, "weight": drawn / drawn.sum(), "strata": None, "guard": None}
    columns |= {"signature": None, "balanced": 0}
    return dataclasses.replace(points, **columns)
