"""Online predictors among the guesses of `phases.held_out`, beside those of a hidden Markov model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phasemark.online.registry import PREDICTORS, predictor
from phasemark.phases import predictors as guesses
from phasemark.phases.predictors import Past

#: Those that `phases` has already, under these or other names.
_KNOWN = ("last", "moves")


def register() -> None:
    """Make them known by name to `phases.held_out`."""
    for name in PREDICTORS:
        if name not in _KNOWN:
            guesses.PREDICTORS.setdefault(name, lambda past, name=name: _guessed(name, past))


def _guessed(name: str, past: Past) -> NDArray[np.int64]:
    """What it foretells when it sees thread after thread, and learns on as it goes."""
    made, out = predictor(name), []
    for label, wanted, follows in zip(
        past.labels.tolist(), past.foretold.tolist(), past.follows.tolist(), strict=True
    ):
        if not follows:
            made.begin()
        if wanted:
            told = made.forecast()
            out.append(-1 if told is None else told)
        made.observe(label)
    return np.array(out, np.int64)
