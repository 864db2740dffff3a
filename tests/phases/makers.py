"""Models of phases as tests make them, whatever their parameters are called."""

from __future__ import annotations

import inspect
from typing import Any

from phasemark import phases
from phasemark.online import Tracker

#: Where a model does not find out by itself how many phases there are, or needs to be told what evidence is.
_PARAMETERS: dict[str, dict[str, Any]] = {
    "mixture": {"n_components": 3, "tempering": 200.0},
    "hmm": {"n_components": 3, "tempering": 200.0},
    Tracker.name: {"min_count": 2},
    "hsmm": {"n_components": 3, "tempering": 200.0, "longest": 16},
}


def make(name: str, k: int | None = None, **parameters: Any) -> phases.PhaseModel:
    """A model by its name in the registry, of k phases where that is asked for."""
    given = {**_PARAMETERS.get(name, {}), **parameters}
    if k is not None:
        known = inspect.signature(type(phases.model(name))).parameters
        given["n_components" if "n_components" in known else "k"] = k
    return phases.model(name, **given)
