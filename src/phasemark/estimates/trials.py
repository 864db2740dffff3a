"""Trials: where the full run is known, how near a few points come, and whether intervals cover the truth.

No file is touched: phases, metrics of every interval and options give trials, a seed each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phasemark.estimates.choice import PointOptions, choose
from phasemark.estimates.estimate import estimate, full_value
from phasemark.model import Signatures, given
from phasemark.model.given import IntervalsLike, MetricsLike, PhasesLike


@dataclass(frozen=True)
class Trial:
    """One estimate beside the truth.

    Attributes:
        points: how many.
        estimate, interval: of the metric.
        truth: the metric of the full run.
    """

    points: int
    estimate: float
    interval: tuple[float, float]
    truth: float

    @property
    def error(self) -> float:
        """Relative error of the estimate."""
        return self.estimate / self.truth - 1

    @property
    def covered(self) -> bool:
        """Whether the interval covers the truth, up to rounding."""
        slack = 1e-9 * abs(self.truth)
        return self.interval[0] - slack <= self.truth <= self.interval[1] + slack

    @property
    def half_width(self) -> float:
        """Half the interval's width, relative to the truth; infinite where it is not bounded."""
        return (self.interval[1] - self.interval[0]) / 2 / self.truth


@dataclass(frozen=True)
class Summary:
    """Trials of one metric, all alike but for the seed.

    Attributes:
        points: mean number.
        bias: mean relative error.
        error: mean absolute relative error.
        worst: the largest of these.
        covered: share of the intervals that cover the truth; NaN where some are not bounded.
        half_width: mean, relative; NaN where some are not bounded.
    """

    points: float
    bias: float
    error: float
    worst: float
    covered: float
    half_width: float

    @classmethod
    def of(cls, trials: Sequence[Trial]) -> Summary:
        """What at least one trial comes to."""
        errors = np.array([trial.error for trial in trials])
        widths = np.array([trial.half_width for trial in trials])
        bounded = bool(np.isfinite(widths).all())
        return cls(
            float(np.mean([trial.points for trial in trials])),
            float(errors.mean()),
            float(np.abs(errors).mean()),
            float(np.abs(errors).max()),
            float(np.mean([trial.covered for trial in trials])) if bounded else math.nan,
            float(widths.mean()) if bounded else math.nan,
        )


def trial(
    intervals: IntervalsLike,
    phases: PhasesLike,
    metrics: MetricsLike,
    options: PointOptions,
    names: str | Sequence[str] = "cpi",
    *,
    estimator: str = "weights",
    signatures: Signatures | None = None,
) -> dict[str, Trial]:
    """Choose points, estimate from their metrics alone, and set the estimate beside the full run.

    Args:
        intervals, phases: of the run; its profile in place of the intervals for methods that need vectors.
        metrics: of every interval.
        options: how points are picked; their confidence is that of the interval.
        names: ratios, or ipc.
        estimator: see estimates.estimate.
        signatures: where strata are looked for, see `choose`.

    Returns:
        Metric -> trial.

    Raises:
        UsageError: options that make no sense.
        DataError: a metric was not measured, or the metrics are of another run.
    """
    metrics = given.metrics(metrics)
    points = choose(intervals, phases, options, signatures=signatures).points
    estimated = estimate(
        points,
        metrics,
        names=names,
        confidence=options.confidence,
        estimator=estimator,
        intervals=intervals,
        phases=phases,
    )
    return {
        name: Trial(len(points), value, estimated.interval[name], full_value(metrics, name))
        for name, value in estimated.value.items()
    }
