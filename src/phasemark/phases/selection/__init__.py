"""Which of the evaluated k to take: one function a criterion, found by name."""

from __future__ import annotations

from collections.abc import Callable

from phasemark.phases.selection import bic, elbow, explained, silhouette
from phasemark.phases.selection.evidence import Evidence

#: Evidence -> one of its ks.
Criterion = Callable[[Evidence], int]

DEFAULT = "bic-threshold"

#: The one that is used for intervals of variable length.
FOR_VARIABLE = "bic-resolved"

CRITERIA: dict[str, Criterion] = {
    DEFAULT: bic.threshold,
    FOR_VARIABLE: bic.resolved,
    "bic-correlated": bic.correlated,
    "calinski-harabasz": explained.calinski_harabasz,
    "explained": explained.share,
    "noise-floor": explained.noise_floor,
    "silhouette": silhouette.silhouette,
    "elbow": elbow.elbow,
}

__all__ = ["CRITERIA", "DEFAULT", "FOR_VARIABLE", "Criterion", "Evidence", "choose"]


def choose(criterion: str, evidence: Evidence) -> int:
    """The k that a criterion takes.

    Args:
        criterion: a name in CRITERIA.
        evidence: at least one clustering.
    """
    return CRITERIA[criterion](evidence)
