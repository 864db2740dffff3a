"""Homogeneity: how much a metric varies within phases, by CoV and by the reduction in deviation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasemark.errors import counted
from phasemark.model.given import LabelsLike, WeightsLike
from phasemark.quality.grouping import Grouped, ValuesLike
from phasemark.quality.measured import Measured

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Cov:
    """Coefficients of variation, as shares (0.1 is 10%).

    Attributes:
        per_phase: k doubles; NaN for a phase without a value or with mean 0.
        total: CoV_wa, the sum of share x CoV over the phases.
        before: of the whole run as one phase.
        missing: share of the weight that has no value; the others are of the rest.
    """

    per_phase: NDArray[np.float64]
    total: float
    before: float
    missing: float

    def __repr__(self) -> str:
        phases = counted(len(self.per_phase), "phase")
        text = f"{self.before:.3g} in the whole run, {self.total:.3g} within {phases}"
        return f"<Cov: {text}{f', {self.missing:.1%} missing' if self.missing else ''}>"

    def frame(self) -> pd.DataFrame:
        """A table with columns phase and cov."""
        import pandas as pd

        return pd.DataFrame({"phase": np.arange(len(self.per_phase)), "cov": self.per_phase})


def cov(values: ValuesLike, labels: LabelsLike, weights: WeightsLike | None = None) -> Cov:
    """Coefficient of variation of each phase, and their weighted average.

    Weighted standard deviation (ddof 0) over the magnitude of the weighted mean; "Discovering and
    exploiting program phases" and formula II.1 of "Confidence interval of estimated mean".

    Args:
        values: the metric, n doubles; NaN where it was not measured. Or what `measured` gives.
        labels: the phase of each interval: Phases, a fitted model, or whole numbers from 0.
        weights: of the intervals; of a profile its instructions. None: all equal, or those of `measured`.

    Raises:
        UsageError: something that cannot be values, labels or weights.
        DataError: numbers of rows that differ, an infinite value, a negative label or weight.
    """
    grouped = Grouped.of(values, labels, _weights(values, weights))
    mean, deviation = grouped.moments()
    # A phase in which nothing varies adds nothing, whatever its mean.
    parts = grouped.shares * np.where(deviation == 0, 0.0, _relative(deviation, mean))
    whole_mean, whole_deviation = grouped.whole()
    before = float(_relative(np.array([whole_deviation]), np.array([whole_mean]))[0])
    # The average is not defined where the run's is not, nor where a mean is 0 among values that vary.
    total = float(parts[grouped.shares > 0].sum()) if not math.isnan(before) else math.nan
    missing = values.missing if isinstance(values, Measured) and weights is None else grouped.missing
    return Cov(_relative(deviation, mean), total, before, missing)


def deviation_reduction(values: ValuesLike, labels: LabelsLike, weights: WeightsLike | None = None) -> float:
    """By which share the standard deviation falls once intervals are compared within their phase.

    (sigma - sum of share x sigma of the phase) / sigma, weighted, ddof 0; 0 where nothing varies, NaN
    where no interval has a value. Intervals without a value are left out: `cov(...).missing` says how many.

    Args:
        values, labels, weights: as for `cov`.

    Raises:
        UsageError, DataError: as `cov`.
    """
    grouped = Grouped.of(values, labels, _weights(values, weights))
    _, deviation = grouped.moments()
    _, whole = grouped.whole()
    if whole == 0:
        return 0.0
    there = grouped.shares > 0
    return (whole - float(grouped.shares[there] @ deviation[there])) / whole


def _weights(values: ValuesLike, weights: WeightsLike | None) -> WeightsLike | None:
    return values.weights if weights is None and isinstance(values, Measured) else weights


def _relative(deviation: NDArray[np.float64], mean: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mean != 0, deviation / np.abs(mean), np.nan)
