"""Events -> Intervals of variable length that follow the program's own structure, in a hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.intervals.building import hierarchy
    from phasemark.intervals.counting import count_events
    from phasemark.intervals.cutting import leaves
    from phasemark.intervals.grammar import Grammar, Rules, sequitur
    from phasemark.intervals.markers import (
        PhaseMarkers,
        event_name,
        function_name,
        markers_of,
        phase_markers,
        site_name,
        starting_sites,
    )
    from phasemark.intervals.pruning import prune
    from phasemark.intervals.repetitions import Repetition, heaviest

#: Loaded when first named.
_MODULES = {
    "Grammar": "grammar",
    "PhaseMarkers": "markers",
    "Repetition": "repetitions",
    "Rules": "grammar",
    "count_events": "counting",
    "event_name": "markers",
    "function_name": "markers",
    "heaviest": "repetitions",
    "hierarchy": "building",
    "leaves": "cutting",
    "markers_of": "markers",
    "phase_markers": "markers",
    "prune": "pruning",
    "sequitur": "grammar",
    "site_name": "markers",
    "starting_sites": "markers",
}

__all__ = [
    "Grammar",
    "PhaseMarkers",
    "Repetition",
    "Rules",
    "count_events",
    "event_name",
    "function_name",
    "heaviest",
    "hierarchy",
    "leaves",
    "markers_of",
    "phase_markers",
    "prune",
    "sequitur",
    "site_name",
    "starting_sites",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
