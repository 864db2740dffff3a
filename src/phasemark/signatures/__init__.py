"""Profile -> Signatures: normalisation and projection."""

from phasemark.signatures.behaviour import SURPRISES, has_behaviour, surprise_rates, with_behaviour
from phasemark.signatures.events import EVENTS, combine, event_rates
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
    "memory_rates",
    "project",
    "projection_matrix",
    "surprise_rates",
    "with_behaviour",
]


def __dir__() -> list[str]:
    return sorted(__all__)
