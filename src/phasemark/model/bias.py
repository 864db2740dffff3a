"""Bias: how far an estimate is off for a reason that its own points do not show."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.errors import DataError

#: Found by random intervals beside typical points, and by points that were warmed up for longer.
GUARDS, WARMUP = "guards", "warm-up"


@dataclass(frozen=True)
class Bias:
    """By how much an estimate is too high, and how that was found.

    Attributes:
        source: GUARDS or WARMUP.
        value: the estimate before it was corrected, less what it should be, in units of the metric.
        standard_error: of the value.
        interval: (low, high), which covers the bias with the probability that the estimate's interval has.
        measurements: guards, or points that were simulated again, on which it rests.
        corrected: whether the bias was taken off the estimate. The interval is that of the estimate without
            it in any case.

    Raises:
        DataError: an unknown source, or a negative standard error.
    """

    source: str
    value: float
    standard_error: float
    interval: tuple[float, float]
    measurements: int
    corrected: bool

    def __post_init__(self) -> None:
        if self.source not in (GUARDS, WARMUP):
            raise DataError(f"a bias found by {self.source}", hint=f"one of: {GUARDS}, {WARMUP}")
        if self.standard_error < 0:
            raise DataError("the standard error of a bias is negative")
