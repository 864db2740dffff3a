"""A metric of every interval as two sums, of which the run's value is the ratio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.model import Metrics


@dataclass(frozen=True)
class Sums:
    """Numerator and denominator of each interval, in units of the metric."""

    top: NDArray[np.float64]
    bottom: NDArray[np.float64]

    @classmethod
    def of(cls, metrics: Metrics, name: str) -> Sums:
        """Of a ratio that phasemark knows, as `cpi`."""
        metrics = metrics.with_instructions()
        ratio = metrics.ratios()[name]
        return cls(ratio.scale * metrics.counters[ratio.numerator], metrics.counters[ratio.denominator])

    @property
    def truth(self) -> float:
        """The ratio of the whole run."""
        return float(self.top.sum() / self.bottom.sum())
