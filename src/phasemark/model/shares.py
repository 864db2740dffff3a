"""Shares as text, so that what is not the whole does not read as it, nor what is there as nothing."""

from __future__ import annotations

#: Below this, what lacks is rounding.
_ROUNDING = 1e-12


def whole(share: float) -> float:
    """A share of parts that were added up: exactly 1 where only rounding keeps it from that."""
    return 1.0 if abs(share - 1) <= _ROUNDING else share


def written(share: float) -> str:
    """A share in percent: two digits behind the point, and as many more as it needs not to read 100%.

    What is there, and would read 0.00%, is `<0.01%`.
    """
    if 0 < share < 0.00005:
        return "<0.01%"
    digits = 2
    while share < 1 - _ROUNDING and float(f"{100 * share:.{digits}f}") == 100:
        digits += 1
    return f"{100 * share:.{digits}f}%"


def confidence(share: float) -> str:
    """A confidence as it was asked for: 95%, 99.9%."""
    return f"{100 * share:.10g}%"
