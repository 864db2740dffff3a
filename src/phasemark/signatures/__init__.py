"""Profile -> Signatures: normalisation and projection."""

from phasemark.signatures.behaviour import SURPRISES, has_behaviour, surprise_rates, with_behaviour
from phasemark.signatures.events import EVENTS, combine, event_rates
from phasemark.signatures.kinds import BESIDE_CODE, CODE_AND_BEHAVIOUR, CODE_AND_EVENTS, kind_of
from phasemark.signatures.memory import memory_rates
from phasemark.signatures.projection import (
    DEFAULT_DIMS,
    DEFAULT_SEED,
    KINDS,
    check,
    check_kind,
    counts,
    project,
    projection_matrix,
)

__all__ = [
    "BESIDE_CODE",
    "CODE_AND_BEHAVIOUR",
    "CODE_AND_EVENTS",
    "DEFAULT_DIMS",
    "DEFAULT_SEED",
    "EVENTS",
    "KINDS",
    "SURPRISES",
    "check",
    "check_kind",
    "combine",
    "counts",
    "event_rates",
    "has_behaviour",
    "kind_of",
    "memory_rates",
    "project",
    "projection_matrix",
    "surprise_rates",
    "with_behaviour",
]


def __dir__() -> list[str]:
    return sorted(__all__)
