"""Same code: phases that execute nearly the same as another, and in what they differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phasemark.model import Phases, Profile
from phasemark.views import distances, sums
from phasemark.views.behaviour import Behaviour, Difference

#: From this share of its code in common on, a phase is said to execute that of another.
COMMON = 0.9


@dataclass(frozen=True)
class SameCode:
    """A phase beside the one of more instructions that has most code in common with it.

    Attributes:
        other: that phase.
        common: share of the instructions that both have in the same blocks, as often: 1 less half the
            Manhattan distance.
        differences: in what memory and branches tell them apart, the most telling first.
    """

    other: int
    common: float
    differences: tuple[Difference, ...]


def same_code(profile: Profile, phases: Phases, known: Behaviour) -> list[SameCode | None]:
    """One a phase; None where no larger phase has nine tenths of its code in common with it.

    Args:
        profile, phases: of one run.
        known: what its phases do.
    """
    found: list[SameCode | None] = [None] * phases.k
    length = np.bincount(phases.labels, profile.interval_table.length, phases.k)
    order = np.argsort(-length, kind="stable")[: np.count_nonzero(length)]
    of_phases = sums.of_groups(profile.vectors, phases.labels, phases.k).select(order)
    common = 1 - distances.between(of_phases) / 2
    for at in range(1, len(order)):
        larger = int(np.argmax(common[at, :at]))
        if common[at, larger] >= COMMON:
            here, there = int(order[at]), int(order[larger])
            found[here] = SameCode(there, float(common[at, larger]), known.differences(here, there))
    return found
