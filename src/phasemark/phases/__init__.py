"""Signatures -> Phases: which intervals behave alike."""

from phasemark.phases.simpoint import DEFAULT_SEED, SimPoint
from phasemark.phases.stability import Outcome, Stability, adjusted_rand_index

__all__ = ["DEFAULT_SEED", "Outcome", "SimPoint", "Stability", "adjusted_rand_index"]
