"""Intervals one at a time -> Phases, while the program runs; predictors of the next phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.online.accumulator import Accumulator
    from phasemark.online.observation import Observation, Observations
    from phasemark.online.tracker import Tracker

#: Loaded when first named.
_MODULES = {
    "Accumulator": "accumulator",
    "Observation": "observation",
    "Observations": "observation",
    "Tracker": "tracker",
}

__all__ = ["Accumulator", "Observation", "Observations", "Tracker"]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
