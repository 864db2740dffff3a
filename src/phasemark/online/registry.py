"""Predictors of the next phase, interval by interval. A new one is a class, and its name in PREDICTORS.

class Stays(Predictor):
    def __init__(self) -> None:
        self._phase = 0

    def observe(self, phase: int) -> None:
        self._phase = phase

    def forecast(self) -> int:
        return self._phase

PREDICTORS["stays"] = Stays
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from phasemark.errors import UsageError, named, shown
from phasemark.online.predictors import LastValue, Moves, Predictor
from phasemark.online.rle_markov import RleMarkov

#: Name -> what makes one that has learnt nothing.
PREDICTORS: dict[str, Callable[[], Predictor]] = {
    "last": LastValue,
    "moves": Moves,
    "rle-markov": partial(RleMarkov, order=1, entries=32),
    "rle-markov-2": partial(RleMarkov, order=2, entries=256),
}


def predictor(name: str) -> Predictor:
    """A predictor that has learnt nothing.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in PREDICTORS:
        raise UsageError(f"there is no predictor {shown(name)}", hint=f"use one of {named(PREDICTORS)}")
    return PREDICTORS[name]()
