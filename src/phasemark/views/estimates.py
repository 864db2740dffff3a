"""Estimates: metrics of the whole run, and how far they are off the full run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from phasemark.model import Estimate
from phasemark.store import estimate_csv


@dataclass(frozen=True)
class MetricEstimate:
    """A metric of the whole run, as a row of estimate.csv says.

    Attributes:
        metric, value: which, and its estimate; NaN where nothing was measured.
        low, high: its confidence interval; high is infinite where the points do not bound it.
        full: the full run's value; NaN where it is not known.
        missing: points that were not measured.
    """

    metric: str
    value: float
    low: float
    high: float
    full: float = math.nan
    missing: int = 0

    @property
    def bounded(self) -> bool:
        """Whether the points bound the confidence interval."""
        return math.isfinite(self.high)

    @property
    def base(self) -> float:
        """What it is shown in percent of: the full run's value, else the estimate; 0 if neither is known."""
        base = self.full if math.isfinite(self.full) else self.value
        return base if math.isfinite(base) and math.isfinite(self.value) else 0.0

    def offsets(self) -> tuple[float, float, float]:
        """Estimate, low and high end in percent off the base, which must not be 0."""
        base = self.base
        value, low, high = (100 * (end / base - 1) for end in (self.value, self.low, self.high))
        return value, low, high


def shown(estimates: tuple[MetricEstimate, ...]) -> list[MetricEstimate]:
    """Those that can be shown in percent."""
    return [estimate for estimate in estimates if estimate.base]


def of(estimate: Estimate, full: Mapping[str, float] | None = None) -> tuple[MetricEstimate, ...]:
    """One row a metric.

    Args:
        estimate: of the whole run.
        full: metric -> its value in the full run, where that is known.
    """
    return tuple(
        MetricEstimate(
            metric,
            value,
            *estimate.interval[metric],
            (full or {}).get(metric, math.nan),
            len(estimate.missing[metric]),
        )
        for metric, value in estimate.value.items()
    )


def read(path: str | Path) -> tuple[MetricEstimate, ...]:
    """The rows of estimate.csv.

    Raises:
        DataError: malformed; names file and line.
    """
    return tuple(
        MetricEstimate(row.metric, row.value, row.low, row.high, row.full, row.missing)
        for row in estimate_csv.read(path)
    )
