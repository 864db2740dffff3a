"""Signatures -> Phases: which intervals behave alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phasemark.phases.simpoint import DEFAULT_SEED, SimPoint
    from phasemark.phases.stability import Outcome, Stability, adjusted_rand_index

#: Loaded when first named: `phases.search` alone needs no NumPy.
_MODULES = {
    "DEFAULT_SEED": "simpoint",
    "SimPoint": "simpoint",
    "Outcome": "stability",
    "Stability": "stability",
    "adjusted_rand_index": "stability",
}

__all__ = ["DEFAULT_SEED", "Outcome", "SimPoint", "Stability", "adjusted_rand_index"]


def __getattr__(name: str) -> Any:
    import importlib

    if name in _MODULES:
        return getattr(importlib.import_module(f"phasemark.phases.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'phasemark.phases' has no attribute '{name}'")
