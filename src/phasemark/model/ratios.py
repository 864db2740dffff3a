"""Ratio metrics: numerators and denominators are added up apart, and divided at the end.

IPC is not among them: it is not additive over instructions. Estimate CPI; IPC is 1/CPI.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ratio:
    """`scale` x numerator / denominator.

    Attributes:
        name: how it is called on the command line and in tables.
        numerator, denominator: counters.
        scale: 1000 for events per thousand instructions.
        title: for figures and tables.
    """

    name: str
    numerator: str
    denominator: str
    scale: float = 1.0
    title: str = ""

    def of(self, numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
        """The ratio, element by element; NaN where the denominator is 0 or either is missing."""
        with np.errstate(divide="ignore", invalid="ignore"):
            value = self.scale * numerator / denominator
        return np.where(denominator > 0, value, np.nan)


_CACHES = {"l1i": "L1I", "l1d": "L1D", "l2": "L2", "l3": "L3", "itlb": "ITLB", "dtlb": "DTLB"}


def _of_cache(prefix: str, title: str) -> tuple[Ratio, Ratio]:
    misses = f"{prefix}_misses"
    return (
        Ratio(f"{prefix}_miss_rate", misses, f"{prefix}_references", 1.0, f"{title} miss rate"),
        Ratio(f"{prefix}_mpki", misses, "instructions", 1000.0, f"{title} misses per 1000 instructions"),
    )


#: Events -> accesses, each of which may be one: no more events than these.
EVENTS_AMONG: dict[str, str] = {
    **{f"{prefix}_misses": f"{prefix}_references" for prefix in _CACHES},
    "branch_mispredictions": "branches",
}

#: The ratios that phasemark knows, CPI first.
RATIOS: tuple[Ratio, ...] = (
    Ratio("cpi", "cycles", "instructions", 1.0, "CPI"),
    *(ratio for prefix, title in _CACHES.items() for ratio in _of_cache(prefix, title)),
    Ratio("branch_misprediction_rate", "branch_mispredictions", "branches", 1.0, "Branch misprediction rate"),
    Ratio(
        "branch_mpki",
        "branch_mispredictions",
        "instructions",
        1000.0,
        "Branch mispredictions per 1000 instructions",
    ),
    Ratio("epi", "energy", "instructions", 1.0, "Energy per instruction (pJ)"),
)
