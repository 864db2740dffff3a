"""Events -> Intervals of variable length that follow the program's own structure, in a hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.intervals.building import hierarchy
    from phasemark.intervals.counting import count_events
    from phasemark.intervals.grammar import Grammar, sequitur
    from phasemark.intervals.leaves import leaves
    from phasemark.intervals.pruning import prune

#: Loaded when first named.
_MODULES = {
    "Grammar": "grammar",
    "count_events": "counting",
    "hierarchy": "building",
    "leaves": "leaves",
    "prune": "pruning",
    "sequitur": "grammar",
}

__all__ = ["Grammar", "count_events", "hierarchy", "leaves", "prune", "sequitur"]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
