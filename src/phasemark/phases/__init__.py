"""Signatures -> Phases: which intervals behave alike."""

from phasemark.phases.simpoint import DEFAULT_SEED, SimPoint

__all__ = ["DEFAULT_SEED", "SimPoint"]
