"""How many points each phase needs: for a budget, or for an error that is not to be exceeded.

Stratified sampling in two phases: a pilot tells how much the metric varies within each phase, and Neyman
allocation then divides the points (Cochran, Sampling Techniques, sections 5.5 and 5.9). Before there is a
pilot, the proxy of phasemark.estimates.proxy takes its place.

A metric is estimated per instruction, so that an interval's deviation counts by its length: a deviation here
is the root mean square of (value - phase's) x length / mean length of the phase (Cochran, section 6.4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError
from phasemark.estimates import calibration, proxy, strangers
from phasemark.estimates.calibration import Calibration
from phasemark.model import Metrics
from phasemark.points.allocation import neyman_whole
from phasemark.quality.confidence import require_confidence


@dataclass(frozen=True)
class Expected:
    """How much a metric varies within phases, relative to its value in the whole run.

    Attributes:
        deviations: of each phase, k doubles.
        proxy: the same as the distances alone say; few points of a phase are held against it.
        measured: intervals of each phase on which that rests, k int64; 0: on the proxy alone.
        lengths: mean length of each phase's intervals, as a share of the longest of them; None: all alike.
        below, above: mean square of what intervals that are not like their phase may be off, k doubles each
            (phasemark.estimates.strangers); None: there are none.
        calibration: what is expected of what the phases, or strata, were found in.
        balanced: how many points are a balanced sample at most: those that are chosen first.
    """

    deviations: NDArray[np.float64]
    proxy: NDArray[np.float64]
    measured: NDArray[np.int64]
    lengths: NDArray[np.float64] | None = None
    below: NDArray[np.float64] | None = None
    above: NDArray[np.float64] | None = None
    calibration: Calibration = calibration.OF_CODE
    balanced: int = 0

    @property
    def per_interval(self) -> NDArray[np.float64]:
        """The deviations times the lengths: what an interval of each phase matters, k doubles."""
        return self.deviations if self.lengths is None else self.deviations * self.lengths

    @property
    def source(self) -> str:
        """`pilot`, or `proxy` where nothing was measured."""
        return "pilot" if self.measured.any() else "proxy"


@dataclass(frozen=True)
class Lengths:
    """How long the intervals of each phase are.

    Attributes:
        mean: of each phase, instructions.
        unlike: how unlike they are: mean square / square of the mean, 1 where all are alike.
    """

    mean: NDArray[np.float64]
    unlike: NDArray[np.float64]

    @classmethod
    def of(cls, labels: NDArray[np.int32], lengths: NDArray[np.int64], k: int) -> Lengths:
        """From phase and instructions of each interval; those without instructions are not counted."""
        there = lengths > 0
        label, length = labels[there], lengths[there].astype(np.float64)
        size = np.maximum(np.bincount(label, minlength=k), 1)
        mean = np.bincount(label, weights=length, minlength=k) / size
        squares = np.bincount(label, weights=length**2, minlength=k) / size
        return cls(mean, np.divide(squares, mean**2, out=np.ones(k), where=mean > 0))

    @property
    def relative(self) -> NDArray[np.float64]:
        """The means as shares of the largest."""
        return np.asarray(self.mean / (self.mean.max(initial=0.0) or 1.0), np.float64)


def from_proxy(
    spread: NDArray[np.float64],
    lengths: Lengths | None = None,
    factors: Calibration = calibration.OF_CODE,
) -> Expected:
    """What the distances to the centres say, before anything is measured.

    Args:
        spread: of each phase, k doubles (points.spread).
        lengths: of the intervals of each phase; None: all alike.
        factors: what is expected of the phases.
    """
    variances = proxy.variances(spread, proxy.OF_WHOLE_RUN**2, factors.factor)
    deviations = np.sqrt(variances if lengths is None else variances * lengths.unlike)
    relative = None if lengths is None else lengths.relative
    strange = np.full(len(spread), proxy.OF_WHOLE_RUN**2)
    measured = np.zeros(len(spread), np.int64)
    return Expected(deviations, deviations, measured, relative, strange, strange, factors)


def from_pilot(
    spread: NDArray[np.float64],
    labels: NDArray[np.int32],
    lengths: NDArray[np.int64],
    rows: NDArray[np.int64],
    metrics: Metrics,
    *,
    factors: Calibration = calibration.OF_CODE,
) -> Expected:
    """What a pilot says of CPI's deviations, joined with the proxy.

    Args:
        spread: of each phase, k doubles (points.spread).
        labels, lengths: phase and instructions of each interval, n.
        rows: the row of `metrics` of each interval, n int64; -1 where it was not measured.
        metrics: of the pilot.
        factors: what is expected of the phases.

    Raises:
        DataError: the metrics hold no cycles.
    """
    values = np.where(rows >= 0, metrics.with_instructions().values("cpi")[rows], np.nan)
    there, k = np.isfinite(values), len(spread)
    every = Lengths.of(labels, lengths, k)
    measured = np.bincount(labels[there], minlength=k).astype(np.int64)
    if np.count_nonzero(there) < 2:
        # Of a single interval no deviation is known, not even that of the run.
        return from_proxy(spread, every, factors)
    shares = np.bincount(labels, weights=lengths, minlength=k) * (measured > 0)
    shares = shares / shares.sum()
    label, value, length = labels[there], values[there], lengths[there].astype(np.float64)
    own = np.maximum(np.bincount(label, weights=length, minlength=k), 1.0)
    means = np.bincount(label, weights=length * value, minlength=k) / own
    squares = (value - means[label]) ** 2
    relative = length / (own / np.maximum(measured, 1))[label]  # to the mean of those measured
    degrees = np.maximum(measured - 1.0, 0.0)
    variances, within = (
        np.bincount(label, weights=squares * weight, minlength=k) / np.maximum(degrees, 1.0)
        for weight in (relative**2, relative)
    )
    mean = float(shares @ means)
    # What was measured in full tells nothing of the rest, as a cold start does not.
    left = shares * (measured < np.bincount(labels[lengths > 0], minlength=k))
    left = left / left.sum() if left.any() else shares
    whole = float(left @ (within + (means - float(left @ means)) ** 2))
    expected = proxy.variances(spread, whole, factors.factor) * every.unlike
    of_bars = factors.expected is None
    trust = proxy.OF_ERROR_BARS if of_bars else proxy.OF_PLANS
    expected = proxy.calibrated(expected, variances, degrees, left**2, trust)
    scale = mean or 1.0
    expected = np.minimum(expected, whole * every.unlike)
    # From both sides: strata whose two points happen to differ must not draw all others to them.
    joined = (proxy.joined if of_bars else proxy.drawn)(variances, degrees, expected)
    weight = (shares / own)[label] * length * relative
    below, above = strangers.squares(value, weight, np.where(measured > 0, means, mean))
    return Expected(
        np.sqrt(joined) / scale,
        np.sqrt(expected) / scale,
        measured,
        every.relative,
        below / scale**2,
        above / scale**2,
        factors,
    )


def for_budget(budget: int, sizes: NDArray[np.int64], deviations: NDArray[np.float64]) -> NDArray[np.int64]:
    """Points of each phase, k int64, that sum to the budget.

    Two of each phase where the budget allows, since of a single one no deviation is known.

    Args:
        budget: points in all.
        sizes: intervals of each phase.
        deviations: of each phase; where lengths differ, Expected.per_interval.

    Raises:
        UsageError: a budget below the number of phases.
    """
    least = np.minimum(sizes, 2)
    if budget < least.sum():
        return neyman_whole(budget, sizes, deviations)
    counts = np.maximum(neyman_whole(budget, sizes, deviations), least)
    while counts.sum() > budget:
        spare = np.where(counts > least, counts / np.maximum(sizes * deviations, 1e-300), -1.0)
        counts[np.argmax(spare)] -= 1
    return counts


def for_error(
    target: float, confidence: float, sizes: NDArray[np.int64], expected: Expected
) -> NDArray[np.int64]:
    """The fewest points of each phase, k int64, whose interval is expected to be within +-target.

    Args:
        target: half-width, as a share of the metric.
        confidence: of the interval.
        sizes: intervals of each phase.
        expected: how much the metric varies in them.

    Raises:
        UsageError: a target or confidence that makes no sense.
    """
    require_target(target)
    require_confidence(confidence)
    low, high = int(np.minimum(sizes, 2).sum()), int(sizes.sum())
    while low < high:
        middle = (low + high) // 2
        counts = for_budget(middle, sizes, expected.per_interval)
        if half_width(counts, confidence, sizes, expected) <= target:
            high = middle
        else:
            low = middle + 1
    return for_budget(low, sizes, expected.per_interval)


def require_target(target: float) -> None:
    """See that a target error is a share.

    Raises:
        UsageError: it is not between 0 and 1.
    """
    if not 0 < target < 1:
        raise UsageError(f"target_error is {target:g}", hint="it must be above 0 and below 1, as 0.02 for 2%")


def half_width(
    counts: NDArray[np.int64], confidence: float, sizes: NDArray[np.int64], expected: Expected
) -> float:
    """How far off so many points are expected to be at most, with a confidence, as a share of the metric."""
    return _with_strangers(counts, confidence, sizes, expected, expected.calibration.planned)


def error_bar(
    counts: NDArray[np.int64], confidence: float, sizes: NDArray[np.int64], expected: Expected
) -> float:
    """Half-width of the interval that an estimate from so many points is expected to have, as a share.

    With strata of code it is wider than `half_width`: of the intervals that no point hit, an error bar allows
    for as many as are to be feared, a plan for as many as are to be expected.
    """
    return _with_strangers(counts, confidence, sizes, expected, expected.calibration.feared)


def _with_strangers(
    counts: NDArray[np.int64],
    confidence: float,
    sizes: NDArray[np.int64],
    expected: Expected,
    seen: float,
) -> float:
    share = strangers.share(int(counts.sum()), seen, expected.calibration.falls)
    sides = [np.zeros(len(sizes)) if side is None else side for side in (expected.below, expected.above)]
    return sum(_half(counts, confidence, sizes, expected, share * side) for side in sides) / 2


def _half(
    counts: NDArray[np.int64],
    confidence: float,
    sizes: NDArray[np.int64],
    expected: Expected,
    strange: NDArray[np.float64],
) -> float:
    from scipy.special import stdtrit

    taken = counts > 0
    n, population = counts[taken].astype(np.float64), sizes[taken]
    prior = expected.proxy[taken] ** 2 + strange[taken]
    variances = proxy.joined(expected.deviations[taken] ** 2, n - 1, prior)
    weights = sizes if expected.lengths is None else sizes * expected.lengths
    parts = (weights[taken] / weights.sum()) ** 2 * (1 - n / population) * variances / n
    every = int(counts.sum())
    parts = parts * expected.calibration.of_sample(min(expected.balanced, every) / max(every, 1))
    total = float(parts.sum())
    if not total:
        return 0.0
    degrees = total**2 / float((parts**2 / (n - 1 + proxy.DEGREES_OF_FREEDOM)).sum())
    return float(stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(total)
