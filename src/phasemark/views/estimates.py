"""Estimates: metrics of the whole run, and how far they are off the full run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasemark.model import Estimate, Ratio
from phasemark.model.ratios import RATIOS
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

    @property
    def error(self) -> float:
        """Off the full run's value, a share of it; NaN where that is not known, or 0."""
        return self.value / self.full - 1 if self.full else math.nan

    @property
    def covered(self) -> bool | None:
        """Whether the interval covers the full run's value, up to rounding.

        None where one of them is not known, or nothing bounds the interval.
        """
        if math.isnan(self.full) or math.isnan(self.low) or (self.low == 0 and not self.bounded):
            return None
        slack = 1e-9 * abs(self.full)
        return self.low - slack <= self.full <= self.high + slack

    @property
    def relative_half_width(self) -> float:
        """Half the interval's width as a share of the value, see `Estimate.relative_half_width`."""
        if self.high == self.low:
            return 0.0
        if not self.bounded:
            return math.inf
        return (self.high - self.low) / 2 / self.value if self.value else math.nan

    def offsets(self) -> tuple[float, float, float]:
        """Estimate, low and high end in percent off the base, which must not be 0."""
        base = self.base
        value, low, high = (100 * (end / base - 1) for end in (self.value, self.low, self.high))
        return value, low, high


def shown(estimates: tuple[MetricEstimate, ...]) -> list[MetricEstimate]:
    """Those that can be shown in percent."""
    return [estimate for estimate in estimates if estimate.base]


def in_order(
    estimates: Sequence[MetricEstimate],
) -> tuple[list[MetricEstimate], list[MetricEstimate]]:
    """Those to show first: CPI, IPC, events per 1000 instructions, the rest; and those that only say the
    same events again, per reference."""
    again = doubling([estimate.metric for estimate in estimates])
    first = [estimate for estimate in estimates if estimate.metric not in again]
    first.sort(key=lambda estimate: _place(estimate.metric))
    return first, [estimate for estimate in estimates if estimate.metric in again]


def doubling(names: Sequence[str]) -> set[str]:
    """Of these metrics the ratios whose events are among them per 1000 instructions too."""
    ratios = {ratio.name: ratio for ratio in RATIOS if ratio.name in names}
    events = {ratio.numerator for ratio in ratios.values() if _per_instructions(ratio)}
    return {
        name for name, ratio in ratios.items() if ratio.numerator in events and not _per_instructions(ratio)
    }


def _per_instructions(ratio: Ratio) -> bool:
    return ratio.denominator == "instructions" and ratio.scale == 1000


def _place(metric: str) -> int:
    if metric in ("cpi", "ipc"):
        return 0
    return 1 if metric.endswith("_mpki") else 2


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
