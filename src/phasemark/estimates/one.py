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


def half_width(variance: float, degrees: float, confidence: float) -> float:
    """Half an interval by Student's t; NaN of a variance that is not known."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(variance) if variance else 0.0


def interval_of(value: float, below: float, above: float) -> tuple[float, float]:
    """A value less and more what it may be off, on the scale of square roots; (0, inf) of what is not known.

    Rates have longer tails upwards, and estimates that are too low have error bars that are too short: what
    missed the costly intervals has seen neither their cost nor their deviation. The square root evens that
    out, as for counts; small errors it leaves as they are, and no end is moved by more than the error itself.

    Args:
        value: from 0.
        below, above: how far the truth may be off, from 0; or NaN.
    """
    if math.isnan(below) or math.isnan(above):
        return 0.0, math.inf
    if not value > 0:
        return value, value + above
    low = value * max(1 - below / (2 * value), 0.0) ** 2
    return low, value + above * (1 + min(above / (4 * value), 1.0))
