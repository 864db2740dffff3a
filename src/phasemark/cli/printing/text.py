"""Numbers as text."""

from __future__ import annotations

import math
from typing import Any


def number(value: float) -> str:
    """Four digits; `-` for what is not defined."""
    return "-" if math.isnan(value) else f"{value:.4g}"


def weight(value: float) -> str:
    """Four digits behind the point; of a smaller weight, which would read 0, its first digits."""
    return f"{value:.4f}" if value >= 0.00005 or not value else f"{value:.1e}"


def finite(value: Any) -> Any:
    """A value as JSON holds it: null for a number that is not known or not bounded."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def phase_name(phase: int, transition: int | None) -> str:
    """What a phase is called in a table, see Phases.names."""
    return "transition" if phase == transition else str(phase)


def phase_title(phase: int, transition: int | None) -> str:
    """What it is called in a sentence, see Phases.titles."""
    return "transition" if phase == transition else f"phase {phase}"
