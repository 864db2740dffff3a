"""Machine for the page: the states of a run's model, where they stand, and a paragraph on what they do."""

from __future__ import annotations

import math
import re
from dataclasses import astuple
from typing import Any

from phasemark.views.analysis import Analysis
from phasemark.views.machine import Machine, State
from phasemark.views.machine import machine as machine_of
from phasemark.views.machine_words import reading
from phasemark.views.palette import colours, ink_on


def machine(analysis: Analysis) -> dict[str, Any] | None:
    """The states as the page draws them; null of a run whose model has none."""
    shown = machine_of(analysis)
    if shown is None:
        return None
    inks = [ink_on(colour) for colour in colours(len(shown.states))]
    return {
        "width": shown.width,
        "height": shown.height,
        "reading": re.sub(r"(?<=\d)%", " %", reading(shown)),
        "states": [_state(shown, state, ink) for state, ink in zip(shown.states, inks, strict=True)],
        "around": shown.around,
        "arrows": [
            [a.source, a.target, round(a.share, 3), a.x, a.y, *a.at, int(a.first)] for a in shown.arrows
        ],
        "strong": shown.strong,
        "many": shown.many,
        "ordered": shown.ordered,
    }


def _state(shown: Machine, state: State, ink: str) -> dict[str, Any]:
    """What is not among the values of its phase; `intervals` is null where that is not known or endless."""
    endless = state.intervals is not None and math.isinf(state.intervals)
    return {
        "spot": astuple(shown.spots[state.number]),
        "label": astuple(shown.labels[state.number]),
        "ink": ink,
        "title": state.title,
        "name": state.label,
        "hot": state.hot,
        "apart": state.apart and [state.apart.said, state.apart.here, state.apart.elsewhere],
        "intervals": None if endless else state.intervals,
        "instructions": None if endless else state.instructions,
        "endless": endless,
        "visits": state.visits,
        "starts": state.number in shown.starts,
    }
