"""Forecast: the error bar of CPI that was to be expected when points were picked, beside the one it got."""

from __future__ import annotations

import math
from dataclasses import dataclass

from phasemark.model import shares
from phasemark.store.folder import Folder


@dataclass(frozen=True)
class Forecast:
    """The error bar of CPI that was to be expected when points were picked for a budget or a target error.

    Attributes:
        half_width: as a share of CPI.
        confidence: of it.
        target: that was asked for; None of a budget.
    """

    half_width: float
    confidence: float
    target: float | None = None

    def beside(self, half_width: float, confidence: float | None) -> str:
        """What came out beside it, as a sentence: of what was measured, that holds.

        Args:
            half_width: of CPI's error bar, as a share of CPI; where it is not finite, nothing is said.
            confidence: of it; None: not known.
        """
        if not math.isfinite(half_width):
            return ""
        same = confidence in (None, self.confidence)
        at = "" if same else f" at {shares.confidence(self.confidence)}"
        target = "" if self.target is None else f", for an error within +-{self.target:.2%}"
        return (
            f"CPI's error bar came out at +-{half_width:.2%}; the forecast, when the points were picked, was "
            f"+-{self.half_width:.2%}{at}{target}"
        )


def forecast_of(folder: Folder) -> Forecast | None:
    """What was forecast when the run's points were picked; None where nothing was.

    Raises:
        DataError: run.json is damaged.
    """
    entry = folder.entry_of("points")
    told = [entry.get(name) for name in ("expected_half_width", "confidence", "target_error")]
    half_width, confidence, target = (float(one) if isinstance(one, int | float) else None for one in told)
    return None if half_width is None or confidence is None else Forecast(half_width, confidence, target)
