"""Intervals one at a time -> Phases, while the program runs; predictors of the next phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.online.accumulator import Accumulator
    from phasemark.online.observation import Observation, Observations
    from phasemark.online.predictors import CLASSES, LastValue, Moves, Predictor
    from phasemark.online.registry import PREDICTORS, predictor
    from phasemark.online.rle_markov import RleMarkov
    from phasemark.online.tracker import Tracker
    from phasemark.online.trials import Accuracy, accuracy

#: Loaded when first named.
_MODULES = {
    "Accumulator": "accumulator",
    "Accuracy": "trials",
    "CLASSES": "predictors",
    "LastValue": "predictors",
    "Moves": "predictors",
    "Observation": "observation",
    "Observations": "observation",
    "PREDICTORS": "registry",
    "Predictor": "predictors",
    "RleMarkov": "rle_markov",
    "Tracker": "tracker",
    "accuracy": "trials",
    "predictor": "registry",
}

__all__ = [
    "CLASSES",
    "PREDICTORS",
    "Accumulator",
    "Accuracy",
    "LastValue",
    "Moves",
    "Observation",
    "Observations",
    "Predictor",
    "RleMarkov",
    "Tracker",
    "accuracy",
    "predictor",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
