"""Phases -> Points: which intervals to simulate, how many, and what each stands for."""

from phasemark.points.allocation import neyman, neyman_whole
from phasemark.points.balance import balanced
from phasemark.points.elsewhere import OfPhases, are_shares, of_phases
from phasemark.points.guards import add_guards, check_guards
from phasemark.points.methods import METHODS, check_method, select, select_from
from phasemark.points.nearest import EARLY_DELTA, check, nearest
from phasemark.points.population import Population
from phasemark.points.spread import spread_of
from phasemark.points.warmup import checked, with_checks

__all__ = [
    "EARLY_DELTA",
    "METHODS",
    "OfPhases",
    "Population",
    "add_guards",
    "are_shares",
    "balanced",
    "check",
    "check_guards",
    "check_method",
    "checked",
    "nearest",
    "neyman",
    "neyman_whole",
    "of_phases",
    "select",
    "select_from",
    "spread_of",
    "with_checks",
]


def __dir__() -> list[str]:
    return sorted(__all__)
