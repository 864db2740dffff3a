"""What points' warm-up leaves cold, from those that were simulated again with a longer one.

Of each such point the difference between its two results is known; the mean of these, over draws in
proportion to weight (Hansen and Hurwitz), is what all points together would change by, with a standard error.
It is taken off the estimate: a longer warm-up is nearer in any case. What that still leaves cold no
measurement tells, and no rule extrapolates: caches fill slowly until the working set is in, and then quickly.
It is taken to be between nothing and as much as was found, on that side
(docs/adr/0070-warm-up-is-checked.md).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import counted
from phasemark.estimates.one import One, half_width
from phasemark.estimates.rates import is_part, rates, rows_of, weights_of
from phasemark.model import Metrics, Points, Ratio
from phasemark.model.bias import WARMUP, Bias
from phasemark.points.warmup import FACTOR, LEAST, may_be_cold


@dataclass(frozen=True)
class _Found:
    """By how much a ratio is too high, its standard error, and how many draws and points tell it."""

    bias: float
    standard_error: float
    draws: int
    points: int


def corrected(
    one: One,
    points: Points,
    metrics: Metrics,
    warmed: Metrics,
    ratio: Ratio,
    *,
    confidence: float,
) -> One:
    """An estimate without what a longer warm-up takes away; as it was, where that was not measured.

    Args:
        one: the estimate by the points as they were warmed up.
        points: some of which are checked.
        metrics: of the points; warmed: of those checked, with the longer warm-up.
        ratio: which.
        confidence: of the interval.

    Returns:
        Its interval is wider by the standard error of the correction, and on the side of the correction by as
        much again, which may still be cold.
    """
    if one.unseen or math.isnan(one.value):
        return one
    found = _found(points, metrics, warmed, ratio)
    if found is None:
        return one
    bias, error = found.bias * ratio.scale, found.standard_error * ratio.scale
    half = half_width(error**2, found.draws - 1, confidence)
    value = max(one.value - bias, 0.0)
    low, high = one.interval
    low = value - math.hypot(one.value - low, half) - max(bias, 0.0)
    high = value + math.hypot(high - one.value, half) + max(-bias, 0.0)
    if is_part(ratio):
        value, high = min(value, ratio.scale), min(high, ratio.scale)
    told = Bias(WARMUP, bias, error, (bias - half, bias + half), found.points, corrected=True)
    return dataclasses.replace(
        one,
        value=value,
        standard_error=math.hypot(one.standard_error, error),
        interval=(max(low, 0.0), high),
        degrees_of_freedom=_degrees(one, error, found.draws - 1),
        biases=(*one.biases, told),
    )


def _degrees(one: One, error: float, draws: int) -> float:
    """Of the sum of both variances, after Satterthwaite."""
    if not error or math.isnan(one.standard_error):
        return one.degrees_of_freedom
    total = one.standard_error**2 + error**2
    own = one.standard_error**4 / one.degrees_of_freedom if one.standard_error else 0.0
    return total**2 / (own + error**4 / draws)


def _found(points: Points, metrics: Metrics, warmed: Metrics, ratio: Ratio) -> _Found | None:
    """What a longer warm-up changes; None of fewer than two draws."""
    assert points.check is not None
    if ratio.numerator not in warmed.counters or ratio.denominator not in warmed.counters:
        return None
    before = rates(points, metrics, rows_of(points, metrics), ratio)
    after = rates(points, warmed, rows_of(points, warmed), ratio)
    typical = np.isfinite(before[0]) & np.isfinite(before[1]) & ~points.is_guard
    told = typical & np.isfinite(after[0]) & np.isfinite(after[1]) & (points.check > 0)
    draws = int(points.check[told].sum())
    if draws < LEAST:
        return None
    alone = _of_all(points, typical)
    share = float(alone[may_be_cold(points)].sum())  # the others are as cold as the full run is there
    times = points.check[told] / draws
    off = [share * (was - is_)[told] for was, is_ in zip(before, after, strict=True)]
    top, bottom = (float(alone[typical] @ counter[typical]) for counter in before)
    warm_top, warm_bottom = top - float(times @ off[0]), bottom - float(times @ off[1])
    if not (bottom > 0 and warm_bottom > 0):
        return None
    value = max(warm_top, 0.0) / warm_bottom
    residual = (off[0] - value * off[1]) / warm_bottom
    squares = float(times @ (residual - float(times @ residual)) ** 2) * draws / (draws - 1)
    return _Found(top / bottom - value, math.sqrt(squares / draws), draws, int(told.sum()))


def _of_all(points: Points, typical: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of the measured points, a number a row; 0 of the others."""
    weight = np.zeros(len(points))
    weight[typical] = weights_of(points, typical)
    return weight


def notes(points: Points, ones: Mapping[str, One]) -> list[str]:
    """How long the points are warmed up, and what a longer warm-up says of what is cold."""
    found = {name: bias for name, one in ones.items() for bias in one.biases if bias.source == WARMUP}
    if not found:
        return _unchecked(points)
    name, bias = next(iter(found.items()))
    value = ones[name].value
    by = f"{abs(bias.value) / value:.1%}" if value > 0 else f"{abs(bias.value):.3g}"
    half = (bias.interval[1] - bias.interval[0]) / 2
    sure = f" +- {half / value:.1%}" if value > 0 else ""
    how = "too high" if bias.value > 0 else "too low"
    others = f" (and {counted(len(found) - 1, 'more metric')} likewise)" if len(found) > 1 else ""
    return [
        f"by {counted(bias.measurements, 'point')} warmed up {FACTOR} times as long, what is cold makes "
        f"{name} {by}{sure} {how}, and is corrected{others}; the interval has room for as much again, which "
        "may still be cold"
    ]


def _unchecked(points: Points) -> list[str]:
    """How long the points were warmed up, where they were: what stays cold is a bias that no point shows."""
    if not points.warmup.any():
        return []
    least, most = (int(bound) for bound in (points.warmup.min(), points.warmup.max()))
    span = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return [
        f"the points are warmed up for {span} instructions; what that leaves cold is in no error bar "
        "(points --warmup-check 6 tells)"
    ]
