"""The variance of an estimate from points, as the method that chose them allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phasemark.estimates import calibration, proxy, strangers
from phasemark.estimates.calibration import Calibration
from phasemark.model import Points
from phasemark.model.points import GIVEN, TYPICAL, WHOLE_RUN

#: Methods that take one stretch of the run.
STRETCHES = ("start", "skip")


@dataclass(frozen=True)
class Within:
    """A part of the run that points of all of it are to tell of.

    Attributes:
        size: of each point, how many intervals of its stratum lie in the part, int64.
        inside: of each point, whether it does itself.
    """

    size: NDArray[np.int64]
    inside: NDArray[np.bool_]

    def unseen(
        self, there: NDArray[np.bool_], first: NDArray[np.int64], stratum: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Of each stratum what multiplies s^2 / n.

        Of N intervals in the part, m of which are among the n points, the others are as all points are on
        average: off by s^2 (1/n + 1/(N - m)), as far as the N - m are no others than the stratum's. Where the
        part is the whole that is 1 - n/N.
        """
        n, size = np.bincount(stratum), self.size[there][first].astype(np.float64)
        left = np.maximum(size - np.bincount(stratum, weights=self.inside[there]), 0.0)
        return np.divide(left * (left + n), size**2, out=np.zeros(len(n)), where=size > 0)


@dataclass(frozen=True)
class Sample:
    """The measured points of one metric.

    Attributes:
        method: how they were chosen.
        stratum: of each point, int64 from 0.
        length: instructions of each point.
        weight: of each point; they sum to 1.
        residual: of each point, in units of the ratio.
        population: intervals of each stratum; 0 where not known.
        spread: of each stratum, see points.spread; NaN where not known.
        unseen: of each stratum, see Within.unseen; None: what 1 - n/N says.
        calibration: what is expected of its strata.
        balanced: share of the points that are a balanced sample.
    """

    method: str
    stratum: NDArray[np.int64]
    length: NDArray[np.float64]
    weight: NDArray[np.float64]
    residual: NDArray[np.float64]
    population: NDArray[np.int64]
    spread: NDArray[np.float64]
    unseen: NDArray[np.float64] | None = None
    calibration: Calibration = calibration.OF_CODE
    balanced: float = 0.0

    @classmethod
    def of(
        cls,
        points: Points,
        there: NDArray[np.bool_],
        weight: NDArray[np.float64],
        residual: NDArray[np.float64],
        within: Within | None = None,
    ) -> Sample:
        """Those of `points` that are `there`; weight and residual have a row for each of them."""
        _, first, stratum = np.unique(points.stratum[there], return_index=True, return_inverse=True)
        length = (points.end - points.start)[there].astype(np.float64)
        spread = np.full(len(first), np.nan) if points.method in WHOLE_RUN else points.spread[there][first]
        population = points.population[there][first]
        unseen = None if within is None else within.unseen(there, first, stratum)
        expected = calibration.of(points.signature)
        # What is left of a balanced sample is none.
        balanced = points.balanced / len(points) if there.all() else 0.0
        known = (stratum, length, weight, residual, population, spread)
        return cls(points.method, *known, unseen, expected, balanced)


class Variance(NamedTuple):
    """A variance and how well it is known.

    Attributes:
        variance: NaN where it is not known.
        degrees_of_freedom: infinite where nothing is uncertain about it.
    """

    variance: float
    degrees_of_freedom: float


@dataclass(frozen=True)
class Sides:
    """How far the truth may lie below an estimate, and how far above it.

    Attributes:
        below, above: the variance with which each end of the interval is made; the same where nothing tells
            that the error is lopsided.
    """

    below: Variance
    above: Variance

    @property
    def standard_error(self) -> float:
        """The root of the mean of both."""
        return math.sqrt((self.below.variance + self.above.variance) / 2)

    @property
    def degrees_of_freedom(self) -> float:
        """Those of the larger."""
        return max(self.below, self.above, key=lambda side: side.variance).degrees_of_freedom


def of(sample: Sample, uncovered: float = 0.0) -> Sides:
    """Variance of the weighted sum of residuals, and what the uncovered share adds.

    Args:
        sample: the measured points.
        uncovered: share of the run that no measured point stands for. Its residual is taken to be off by
            the deviation among the points.
    """
    if tells_nothing(sample):
        unknown = Variance(math.nan, 0.0)
        return Sides(unknown, unknown)
    more = []
    if uncovered > 1e-12:
        among = _among(sample)
        more.append(Variance(uncovered**2 * among.variance, among.degrees_of_freedom))
    if sample.method in _BY_METHOD:
        both = _sum([*_BY_METHOD[sample.method](sample), *more])
        return Sides(both, both)
    below, above = _stratified(sample)
    return Sides(_sum([*below, *more]), _sum([*above, *more]))


def tells_nothing(sample: Sample) -> bool:
    """Whether nothing follows of the rest of the run: from a stretch of it, or clusters of unknown spread."""
    return sample.method in STRETCHES or (sample.method == GIVEN and bool(np.isnan(sample.spread).any()))


def notes(points: Points) -> list[str]:
    """What a reader must know of how variances came about."""
    if points.method in STRETCHES:
        return [f"points of method {points.method} say nothing of the rest of the run: no error bar"]
    if points.method == GIVEN and np.isnan(points.spread).any():
        return [
            "nothing tells how much the parts of the run differ that these points stand for: no error bar "
            "(the clusters' labels would tell)"
        ]
    if points.method in WHOLE_RUN:
        return [
            "random points of the whole run miss rare intervals: with few points the error bar is too short"
        ]
    known = (
        "is a proxy from the distances to its centre"
        if np.isfinite(points.spread).all()
        else "is taken to be that of the whole run"
    )
    if points.method in (*TYPICAL, GIVEN):
        return [f"{points.method} points are no random sample: how far they are from a phase's mean {known}"]
    _, phase, size = np.unique(points.stratum, return_inverse=True, return_counts=True)
    alone = size[phase] == 1
    unsure = int(np.count_nonzero(alone & (points.population != 1)))
    if not unsure:
        return []
    of = "phase" if points.strata is None else "stratum"
    have = f"{of} has" if unsure == 1 else f"{'phases' if of == 'phase' else 'strata'} have"
    return [f"{unsure} {have} a single point; the deviation within {known}"]


def _stratified(sample: Sample) -> tuple[list[Variance], list[Variance]]:
    """One variance a stratum, below and above: W^2 (1 - n/N) s^2 / n (Cochran, section 5.5).

    Where the spread of a stratum is known, its s^2 is joined with what the proxy and strangers say. All
    strata of a single point borrow from one proxy, so that together they are known no better than that.
    """
    strata = _Strata.of(sample)
    degrees = np.asarray(strata.n - 1, np.float64)
    # Of points of unlike lengths as much as of fewer alike (Kish); of a single one its length says nothing.
    of_run = _among(sample).variance
    factors = sample.calibration
    expected = proxy.variances(sample.spread, of_run, factors.factor) * strata.unlike
    if not math.isnan(of_run):
        matters = strata.share**2 * strata.unseen / strata.n
        expected = proxy.calibrated(expected, strata.variance, degrees, matters)
        expected = np.minimum(expected, of_run * strata.unlike)
    known = ~np.isnan(sample.spread)
    share = strangers.share(len(sample.residual), factors.feared, factors.falls) * known
    below, above = strangers.squares(sample.residual, sample.weight * _relative(sample), _means(sample))
    return (
        _parts(sample, strata, expected + share * below),
        _parts(sample, strata, expected + share * above),
    )


def _parts(sample: Sample, strata: _Strata, expected: NDArray[np.float64]) -> list[Variance]:
    """The strata's own variances joined with those expected, as parts of the estimate's."""
    degrees, known = np.asarray(strata.n - 1, np.float64), ~np.isnan(sample.spread)
    joined = proxy.joined(strata.variance, degrees, expected)
    variances = np.where(known | (degrees == 0), joined, strata.variance)
    degrees = degrees + proxy.DEGREES_OF_FREEDOM * known
    matters = strata.share**2 * strata.unseen * sample.calibration.of_sample(sample.balanced)
    parts = np.where(strata.unseen > 0, matters * variances / strata.n, 0.0)
    alone = strata.n == 1
    several = [
        Variance(part, freedom)
        for part, freedom in zip(parts[~alone].tolist(), degrees[~alone].tolist(), strict=True)
    ]
    return [*several, Variance(float(parts[alone].sum()), _degrees_of_proxy(sample))]


def _nearest(sample: Sample) -> list[Variance]:
    """Nearest points are off their phase's mean by a bias that more of them do not lessen: no 1/n."""
    strata = _Strata.of(sample)
    expected = proxy.variances(sample.spread, _among(sample).variance, sample.calibration.nearest)
    off = np.maximum(expected, strata.variance / strata.n)
    parts = np.where(strata.unseen > 0, strata.share**2 * strata.unseen * off, 0.0)
    return [Variance(float(parts.sum()), _degrees_of_proxy(sample))]


def _degrees_of_proxy(sample: Sample) -> float:
    """Those of the proxy, or of the variance among all points that takes its place."""
    known = not np.isnan(sample.spread).any()
    return proxy.DEGREES_OF_FREEDOM if known else max(len(sample.residual) - 1.0, 0.0)


@dataclass(frozen=True)
class _Strata:
    """Per stratum: points, share of the weight, part not seen (1 - n/N), variance (0 of a single point).

    `unlike` is how unlike the points' lengths are: n x sum of squares / square of the sum, 1 where alike.
    """

    n: NDArray[np.int64]
    share: NDArray[np.float64]
    unseen: NDArray[np.float64]
    variance: NDArray[np.float64]
    unlike: NDArray[np.float64]

    @classmethod
    def of(cls, sample: Sample) -> _Strata:
        n = np.bincount(sample.stratum).astype(np.int64)
        share = np.asarray(np.bincount(sample.stratum, weights=sample.weight), np.float64)
        if sample.unseen is not None:
            unseen = sample.unseen.tolist()
        else:
            unseen = [_unseen(*pair) for pair in zip(n.tolist(), sample.population.tolist(), strict=True)]
        length = np.bincount(sample.stratum, weights=sample.length)
        # As if each point in turn had been left out (the jackknife, Wolter, chapter 4): of points of unlike
        # lengths s^2 is too small, since the longest draws the mean to itself. Alike, it is s^2.
        left = 1 - sample.length / length[sample.stratum]
        off = np.divide(_deviations(sample), left, out=np.zeros(len(left)), where=n[sample.stratum] > 1)
        squares = np.bincount(sample.stratum, weights=off**2)
        variance = np.asarray(squares * (n - 1) / n**2, np.float64)
        unlike = n * np.bincount(sample.stratum, weights=sample.length**2) / length**2
        return cls(n, share, np.array(unseen, np.float64), variance, unlike)


def _unseen(n: int, population: int) -> float:
    """The finite-population correction 1 - n/N; 1 where N is not known."""
    return max(1 - n / population, 0.0) if population else 1.0


def _deviations(sample: Sample) -> NDArray[np.float64]:
    """Residuals from their stratum's mean, both weighed with the intervals' lengths."""
    return np.asarray((sample.residual - _means(sample)[sample.stratum]) * _relative(sample), np.float64)


def _relative(sample: Sample) -> NDArray[np.float64]:
    """The length of each point, relative to the mean of its stratum's."""
    mean = np.bincount(sample.stratum, weights=sample.length) / np.bincount(sample.stratum)
    return np.asarray(sample.length / mean[sample.stratum], np.float64)


def _means(sample: Sample) -> NDArray[np.float64]:
    """The mean residual of each stratum, weighed with the intervals' lengths."""
    length = np.bincount(sample.stratum, weights=sample.length)
    total = np.bincount(sample.stratum, weights=sample.residual * sample.length)
    return np.asarray(total / length, np.float64)


def _among(sample: Sample) -> Variance:
    """The variance of a point among all points, by weight; not known of a single one."""
    n = len(sample.residual)
    if n < 2:
        return Variance(math.nan, 0.0)
    off = sample.residual - float(sample.weight @ sample.residual)
    return Variance(float(sample.weight @ off**2) * n / (n - 1), n - 1)


def _systematic(sample: Sample) -> list[Variance]:
    """From differences of successive points (Wolter, Introduction to Variance Estimation, section 8.2).

    A systematic sample has no variance of its own; neighbours differ by less than any two points do where
    the run drifts. Degrees of freedom: those of the mean squared difference (von Neumann et al. 1941).
    """
    n = len(sample.residual)
    unseen = _unseen(n, int(sample.population[0]))
    if not unseen:
        return []
    if n < 2:
        return [Variance(math.nan, 0.0)]
    steps = np.diff(_deviations(sample))
    return [Variance(unseen * float(steps @ steps) / 2 / (n - 1) / n, 2 * (n - 1) ** 2 / (3 * n - 4))]


def _sum(parts: list[Variance]) -> Variance:
    """Independent variances added up; degrees of freedom after Satterthwaite (1946)."""
    total = sum(part.variance for part in parts)
    if math.isnan(total):
        return Variance(math.nan, 0.0)
    if total == 0:
        return Variance(0.0, math.inf)
    spread = sum(part.variance**2 / part.degrees_of_freedom for part in parts if part.variance)
    return Variance(total, total**2 / spread if spread else math.inf)


_BY_METHOD = {**dict.fromkeys((*TYPICAL, GIVEN), _nearest), "systematic": _systematic}
