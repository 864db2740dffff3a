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
from phasemark.model.given import LabelsLike
from phasemark.model.options import require_given, require_real
from phasemark.points.allocation import neyman, neyman_whole
from phasemark.quality.grouping import Grouped, ValuesLike

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
        missing: share of the intervals that have no value; the others are of the rest.
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
) -> Cim:
    """Confidence interval of the mean that a stratified sample of n intervals estimates.

    "Confidence interval of estimated mean", section III: the phases are strata, measurements are divided
    among them after Neyman. Intervals count equally, whatever their length.

    Args:
        values: the metric, one double an interval; NaN where it was not measured. Or what `measured` gives.
        labels: the phase of each interval: Phases, a fitted model, or whole numbers from 0.
        n: intervals measured in all.
        confidence: of the intervals.
        plan: measure whole numbers of intervals, at least one in each phase.
        ddof: of the deviations, 1 as in the paper, or 0.
        finite: with the finite-population factor: what is measured whole has no error.

    Raises:
        UsageError: n is not above 0 (with `plan`: less than the number of phases), or confidence is not
            between 0 and 1; something that cannot be values or labels.
        DataError: numbers of rows that differ, an infinite value, a negative label.
    """
    grouped = Grouped.of(values, labels)
    sizes = np.bincount(grouped.labels, minlength=grouped.k).astype(np.float64)
    mean, deviation = grouped.moments()
    within = _Strata(sizes, np.abs(mean), np.nan_to_num(_unbiased(deviation, sizes, ddof)), finite)
    whole_mean, whole_deviation = grouped.whole()
    total = np.array([sizes.sum()])
    as_one = _Strata(
        total,
        np.array([abs(whole_mean)]),
        np.nan_to_num(_unbiased(np.array([whole_deviation]), total, ddof)),
        finite,
    )
    divide: Callable[..., NDArray[Any]] = neyman_whole if plan else neyman
    sample = divide(n, sizes, within.deviations).astype(np.float64)
    one = np.array([min(n, float(total[0]))])
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
    sizes: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    finite: bool

    def standard_error(self, sample: NDArray[np.float64]) -> float:
        """Of the mean of all: (1/N) sqrt(sum of (N_i x error of phase i)^2)."""
        total = float(self.sizes.sum())
        if not total:
            return math.nan
        return float(np.sqrt(np.square(self.sizes * self._errors(sample)).sum())) / total

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


def _unbiased(deviation: NDArray[np.float64], sizes: NDArray[np.float64], ddof: int) -> NDArray[np.float64]:
    """From the deviation with ddof 0; of a single interval 0."""
    return deviation * np.sqrt(sizes / np.maximum(sizes - ddof, 1))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
