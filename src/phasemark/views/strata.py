"""Strata: what there is to say of phases and weights where points were not drawn phase by phase."""

from __future__ import annotations

from phasemark.model import Points
from phasemark.model.points import WHOLE_RUN

#: Why the weights of a phase's points do not add up to its share.
WEIGHTS = "weights are those of strata, which may cross phases"


def weights(points: Points) -> str:
    """What to know of the points' weights; empty where those of a phase's points are its share.

    With guards, strata are what these were drawn from.
    """
    return WEIGHTS if points.strata is not None and points.guard is None else ""


def no_point(points: Points) -> str:
    """Of a phase in which no point lies, why, as a sentence."""
    if weights(points):
        return "No point of its own: its intervals are in strata that have points."
    if points.method in WHOLE_RUN:
        return "No point of its own: points were chosen from the whole run."
    return "No point: outside the coverage." if points.coverage < 1 else "No point."
