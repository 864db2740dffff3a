"""What signatures are called, by what they compare."""

from __future__ import annotations

from phasemark.model import Recipe
from phasemark.signatures.behaviour import SURPRISES
from phasemark.signatures.events import EVENTS

#: Rates of events beside code vectors.
CODE_AND_EVENTS = "code+events"

#: How long ago memory was used, and how branches surprise, beside code vectors.
CODE_AND_BEHAVIOUR = "code+behaviour"

#: Those that have something beside code.
BESIDE_CODE = (CODE_AND_EVENTS, CODE_AND_BEHAVIOUR)

#: A table that nobody but its user knows, beside code vectors.
CODE_AND_MORE = "code+more"


def kind_of(recipe: Recipe) -> str:
    """The signature that a recipe makes: `blocks`, `loops`, one of BESIDE_CODE, or CODE_AND_MORE."""
    beside = recipe.events.split()
    if not beside:
        return "loops" if recipe.key == "site" else "blocks"
    if set(beside) <= set(EVENTS):
        return CODE_AND_EVENTS
    return CODE_AND_BEHAVIOUR if len(beside) > 1 and beside[-1] == SURPRISES else CODE_AND_MORE
