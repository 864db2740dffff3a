"""Phases -> Points: which intervals to simulate, and what each stands for."""

from phasemark.points.methods import METHODS, check_method, select
from phasemark.points.nearest import EARLY_DELTA, check, nearest
from phasemark.points.population import Population

__all__ = ["EARLY_DELTA", "METHODS", "Population", "check", "check_method", "nearest", "select"]
