"""Errors of estimates against what was measured ("Probabilistic generative models", E_R and E_I)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phasemark.errors import DataError


def relative_error(measured: ArrayLike, estimated: ArrayLike) -> float:
    """E_R = |sum c - sum c^| / sum c: how far the estimate of the whole run is off.

    Args:
        measured, estimated: the metric of each interval, n doubles.

    Returns:
        A share, from 0; NaN where a value is missing or the measured ones sum to 0.

    Raises:
        DataError: shapes that differ.
    """
    true, guess = _pair(measured, estimated)
    whole = float(true.sum())
    return abs(whole - float(guess.sum())) / whole if whole else math.nan


def interval_error(measured: ArrayLike, estimated: ArrayLike) -> float:
    """E_I = mean of |c - c^| / c: how far the estimates of the intervals are off, on average.

    Args:
        measured, estimated: the metric of each interval, n doubles.

    Returns:
        A share, from 0; NaN where a value is missing or a measured one is 0, or there are none.

    Raises:
        DataError: shapes that differ.
    """
    true, guess = _pair(measured, estimated)
    if not len(true) or not true.all():
        return math.nan
    return float(np.mean(np.abs(true - guess) / true))


def _pair(measured: ArrayLike, estimated: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    true, guess = np.asarray(measured, np.float64), np.asarray(estimated, np.float64)
    if true.ndim != 1 or true.shape != guess.shape:
        raise DataError(
            f"{true.size:,} measured and {guess.size:,} estimated values", hint="give both for every interval"
        )
    return true, guess
