"""CIM, the confidence interval of the estimated mean: what a classification is worth to a sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import UsageError, counted
from phasemark.model.given import LabelsLike, WeightsLike
from phasemark.model.options import require_given, require_real
from phasemark.points.allocation import neyman, neyman_whole
from phasemark.quality.grouping import Grouped, ValuesLike
from phasemark.quality.measured import Measured

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Cim:
    """Half-widths of confidence intervals, in percent of the mean.

    Attributes:
        percent: of the mean of the run, with n intervals measured, divided among the phases; NaN where the
            mean is 0 or nothing was measured.
        before: the same with the whole run as one phase.
        per_phase: of each phase's own mean, with its part of the n; NaN for a phase without a value or
            with mean 0.
        standard_error, standard_error_before: of the mean, in the metric's unit.
        sample: intervals measured in each phase: fractional, or whole numbers as a plan.
        missing: share of the weight that has no value; the others are of the rest.
    """

    percent: float
    before: float
    per_phase: NDArray[np.float64]
    standard_error: float
    standard_error_before: float
    sample: NDArray[np.float64]
    missing: float

    def __repr__(self) -> str:
        phases = counted(len(self.sample), "phase")
        text = f"{self.before:.3g}% in the whole run, {self.percent:.3g}% with {phases}"
        missing = f", {self.missing:.1%} missing" if self.missing else ""
        return f"<Cim: {text}, {self.sample.sum():g} intervals measured{missing}>"

    def frame(self) -> pd.DataFrame:
        """A table with columns phase, cim (percent) and sample."""
        import pandas as pd

        phase = np.arange(len(self.sample))
        return pd.DataFrame({"phase": phase, "cim": self.per_phase, "sample": self.sample})


def cim(
    values: ValuesLike,
    labels: LabelsLike,
    n: float = 100,
    confidence: float = 0.95,
    *,
    plan: bool = False,
    ddof: int = 1,
    finite: bool = True,
    weights: WeightsLike | None = None,
) -> Cim:
    """Confidence interval of the mean that a stratified sample of n intervals estimates.

    "Confidence interval of estimated mean", section III: the phases are strata, measurements are divided
    among them after Neyman. An interval's value counts by its length: the mean is that of the run, its error
    that of a ratio (Cochran, Sampling Techniques, section 6.4). With equal lengths, as in the paper, and
    without lengths, that is the mean of the intervals and its error.

    Args:
        values: the metric, one double an interval; NaN where it was not measured. Or what `measured` gives.
        labels: the phase of each interval: Phases, a fitted model, or whole numbers from 0.
        n: intervals measured in all.
        confidence: of the intervals.
        plan: measure whole numbers of intervals, at least one in each phase.
        ddof: of the deviations, 1 as in the paper, or 0.
        finite: with the finite-population factor: what is measured whole has no error.
        weights: instructions of each interval, or a profile; None: all equal, or those of `measured`.

    Raises:
        UsageError: n is not above 0 (with `plan`: less than the number of phases), or confidence is not
            between 0 and 1; something that cannot be values or labels.
        DataError: numbers of rows that differ, an infinite value, a negative label.
    """
    if weights is None and isinstance(values, Measured):
        weights = values.lengths
    grouped = Grouped.of(values, labels, weights)
    within = _Strata.of(grouped, ddof, finite=finite)
    as_one = _Strata.of(grouped.as_one(), ddof, finite=finite)
    whole_mean, _ = grouped.whole()
    divide: Callable[..., NDArray[Any]] = neyman_whole if plan else neyman
    sample = divide(n, within.sizes, within.deviations * within.lengths).astype(np.float64)
    one = np.minimum(n, as_one.sizes)
    percent = 100 * normal_quantile(confidence)
    error, before = within.standard_error(sample), as_one.standard_error(one)
    return Cim(
        _share(percent * error, abs(whole_mean)),
        _share(percent * before, abs(whole_mean)),
        percent * within.relative_errors(sample),
        error,
        before,
        sample,
        grouped.missing,
    )


def normal_quantile(confidence: float) -> float:
    """z of a two-sided interval, to the three decimals that tables print and the paper uses: 1.96 for 95%.

    Raises:
        UsageError: confidence is not between 0 and 1.
    """
    require_confidence(confidence)
    return round(NormalDist().inv_cdf((1 + confidence) / 2), 3)


def require_confidence(confidence: float) -> None:
    """See that intervals of a confidence have ends.

    Raises:
        UsageError: it is not between 0 and 1, or so near 1 that they would be infinite.
    """
    require_given(confidence=confidence)
    require_real(confidence=confidence)
    if not 0 < confidence < (1 + confidence) / 2 < 1:
        raise UsageError(
            f"confidence is {confidence:g}", hint="it must be above 0 and below 1, as 0.95 for 95%"
        )


@dataclass(frozen=True, eq=False)
class _Strata:
    """Of each phase: intervals, share of the weight, mean length (of the largest), mean, and deviation."""

    sizes: NDArray[np.float64]
    shares: NDArray[np.float64]
    lengths: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    finite: bool

    @classmethod
    def of(cls, grouped: Grouped, ddof: int, *, finite: bool) -> _Strata:
        """A deviation is the root mean square of (value - mean) x weight / mean weight of the phase."""
        sizes = np.bincount(grouped.labels, minlength=grouped.k).astype(np.float64)
        mean, _ = grouped.moments()
        mean_weight = grouped.shares / np.maximum(sizes, 1)
        off = np.zeros(len(grouped.values))
        if len(off):
            off = (grouped.values - mean[grouped.labels]) * grouped.weights / mean_weight[grouped.labels]
        squares = np.bincount(grouped.labels, off**2, grouped.k)
        deviations = np.asarray(np.sqrt(squares / np.maximum(sizes - ddof, 1)), np.float64)
        # Equal weights may sum to shares that differ by rounding.
        lengths = np.asarray(np.round(mean_weight / (mean_weight.max(initial=0.0) or 1.0), 12), np.float64)
        return cls(sizes, grouped.shares, lengths, np.abs(mean), deviations, finite)

    def standard_error(self, sample: NDArray[np.float64]) -> float:
        """Of the mean of all: sqrt(sum of (share of phase i x its error)^2)."""
        if not self.sizes.sum():
            return math.nan
        return float(np.sqrt(np.square(self.shares * self._errors(sample)).sum()))

    def relative_errors(self, sample: NDArray[np.float64]) -> NDArray[np.float64]:
        """Standard error of each phase's mean as a share of it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.means > 0, self._errors(sample) / self.means, np.nan)

    def _errors(self, sample: NDArray[np.float64]) -> NDArray[np.float64]:
        """S_i / sqrt(n_i), times sqrt((N_i - n_i) / N_i) for a finite population; 0 where S_i is."""
        # What varies so little that it gets nothing of a fractional sample adds as little to the error.
        varies = (self.deviations > 0) & (sample > 0)
        errors = np.zeros_like(self.sizes)
        sizes, taken = self.sizes[varies], sample[varies]
        left = np.maximum(sizes - taken, 0.0) / sizes if self.finite else 1.0
        errors[varies] = self.deviations[varies] * np.sqrt(left / taken)
        return errors


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
