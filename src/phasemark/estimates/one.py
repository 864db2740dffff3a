"""The estimate of one metric, on its way to those of all."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from phasemark.model.bias import Bias


@dataclass(frozen=True)
class One:
    """The estimate of one metric; see model.Estimate.

    Attributes:
        unseen: what no point saw, EVENT or NO_EVENT; empty: something of both.
        biases: of the value, as far as they were looked for.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]
    degrees_of_freedom: float
    coverage: float
    missing: tuple[int, ...]
    unseen: str = ""
    biases: tuple[Bias, ...] = ()

    def inverse(self) -> One:
        """IPC of CPI: the interval's ends change places; the standard error is linearised.

        What is known of a bias is told of CPI alone.
        """
        if not self.value > 0:
            return dataclasses.replace(
                self, value=math.nan, standard_error=math.nan, interval=(0.0, math.inf), biases=()
            )
        low, high = self.interval
        return dataclasses.replace(
            self,
            value=1 / self.value,
            standard_error=self.standard_error / self.value / self.value,  # the square may be 0
            interval=(1 / high, 1 / low if low > 0 else math.inf),
            biases=(),
        )


#: What of an Estimate is told of each metric.
TOLD = tuple(field.name for field in dataclasses.fields(One) if field.name not in ("unseen", "biases"))


def half_width(error: float, degrees: float, confidence: float) -> float:
    """Half an interval by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + confidence) / 2)) * error if error else 0.0


def interval_of(value: float, error: float, degrees: float, confidence: float) -> tuple[float, float]:
    """The interval of a value that is never below 0; (0, inf) of an unknown standard error."""
    if math.isnan(error):
        return 0.0, math.inf
    half = half_width(error, degrees, confidence)
    return max(value - half, 0.0), value + half
