"""Phases -> Points: which intervals to simulate, and what each stands for."""

from phasemark.points.nearest import EARLY_DELTA, check, nearest

__all__ = ["EARLY_DELTA", "check", "nearest"]
