"""Neyman allocation: how many intervals to measure in each phase, of a number given in all.

A phase gets in proportion to its intervals times their deviation (Cochran, Sampling Techniques, section
5.5): no other division of so many measurements leaves a smaller standard error.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError, UsageError, counted
from phasemark.model.options import require_given, require_real

#: What is smaller, beside the largest product of size and deviation, is rounding.
_NOTHING = 1e-15


def neyman(n: float, sizes: ArrayLike, deviations: ArrayLike) -> NDArray[np.float64]:
    """Fractional allocation, as a metric of quality wants it ("Confidence interval of estimated mean").

    Args:
        n: measurements in all, above 0.
        sizes: intervals of each phase; 0 for an empty one.
        deviations: of the metric within each phase; 0 where it does not vary.

    Returns:
        Measurements per phase, float64: in proportion to size x deviation, at most a phase's size, what is
        above it redistributed. Once phases that vary are measured whole, the others get the rest in
        proportion to size. The sum is n, or all intervals where there are fewer.

    Raises:
        UsageError: n is not above 0.
        DataError: a size or deviation is negative or not a number.
    """
    require_given(n=n)
    require_real(n=n)
    if not n > 0:
        raise UsageError(f"a sample of {n:g}", hint="measure at least 1 interval")
    size, weight = _checked(sizes, deviations)
    return _fill(n, weight, np.zeros_like(size), size)


def neyman_whole(n: int, sizes: ArrayLike, deviations: ArrayLike) -> NDArray[np.int64]:
    """Whole-numbered allocation, to plan measurements: at least one in every phase that has an interval.

    Args:
        n, sizes, deviations: as for `neyman`.

    Returns:
        Measurements per phase, int64: those of `neyman` between 1 and the phase's size, rounded by the
        largest remainders (the earlier phase on ties). The sum is n, or all intervals if fewer.

    Raises:
        UsageError: n is less than the number of phases.
        DataError: a size or deviation is negative or not a number.
    """
    size, weight = _checked(sizes, deviations)
    least = np.minimum(size, 1)
    if n < least.sum():
        raise UsageError(
            f"{counted(n, 'interval')} cannot stand for {counted(int(least.sum()), 'phase')}",
            hint=f"measure at least {int(least.sum()):,}, or find fewer phases",
        )
    return _rounded(_fill(n, weight, least, size))


def _checked(sizes: ArrayLike, deviations: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sizes, and size x deviation as shares of the largest."""
    size, deviation = np.asarray(sizes, np.float64), np.asarray(deviations, np.float64)
    if size.ndim != 1 or size.shape != deviation.shape:
        raise DataError(f"{size.size} sizes of phases and {deviation.size} deviations")
    for what, values in (("size", size), ("deviation", deviation)):
        if not np.all(np.isfinite(values) & (values >= 0)):
            raise DataError(f"the {what} of a phase is negative or not a number")
    deviation = deviation / (deviation.max(initial=0.0) or 1.0)
    weight = size * deviation
    weight = weight / (weight.max(initial=0.0) or 1.0)
    return size, np.where(weight > _NOTHING, weight, 0.0)


def _fill(
    n: float, weight: NDArray[np.float64], least: NDArray[np.float64], most: NDArray[np.float64]
) -> NDArray[np.float64]:
    """clip(level x weight, least, most) at the level where the sum is n; see `neyman` for weights of 0."""
    counts = least.copy()
    varies, still = weight > 0, (weight == 0) & (most > 0)
    left, whole = n - least[still].sum(), most[varies].sum()
    counts[varies] = _at_level(left, weight[varies], least[varies], most[varies])
    if left > whole:
        counts[still] = _at_level(n - whole, most[still], least[still], most[still])
    return counts


def _at_level(
    n: float, weight: NDArray[np.float64], least: NDArray[np.float64], most: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum grows with the level, in straight lines between the levels where a phase meets a bound."""
    if n >= most.sum():
        return most
    levels = np.unique(np.concatenate(([0.0], least / weight, most / weight)))
    sums = np.clip(levels[:, None] * weight, least, most).sum(axis=1)
    level = float(np.interp(n, sums, levels))
    return np.clip(level * weight, least, most)


def _rounded(fractions: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers of the same sum, by the largest remainders."""
    # What is a whole number but for rounding must not lose one.
    down = np.floor(fractions + 1e-9)
    missing = round(float(fractions.sum() - down.sum()))
    largest = np.lexsort((np.arange(len(down)), down - fractions))
    down[largest[:missing]] += 1
    return down.astype(np.int64)
