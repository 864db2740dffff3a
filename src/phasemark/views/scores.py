"""Scores: by which the number of phases was chosen."""

from __future__ import annotations

from dataclasses import dataclass

from phasemark.model import Phases


@dataclass(frozen=True)
class Threshold:
    """What was good enough.

    Attributes:
        share: t, of the way from the worst score to the best.
        score: which is there: worst + t (best - worst).
    """

    share: float
    score: float


@dataclass(frozen=True)
class Scores:
    """The k that were tried, and what was found of each.

    Attributes:
        k: numbers of phases, ascending; empty where none was scored.
        score: of each, more is better (of SimPoint: the BIC).
        inertia: squared error of each; None where it is not known.
        threshold: by which k was chosen; None where no threshold chose it.
        chosen: the k of the phases.
        name: what the score is.
    """

    k: list[int]
    score: list[float]
    inertia: list[float | None]
    threshold: Threshold | None
    chosen: int
    name: str = "BIC"


def scores(phases: Phases) -> Scores:
    """The scores of a classification."""
    ks = sorted(phases.scores)
    score, inertia = [phases.scores[k] for k in ks], [phases.inertia.get(k) for k in ks]
    name = "held-out log likelihood" if phases.model.get("select") == "held-out" else "BIC"
    return Scores(ks, score, inertia, _threshold(phases), phases.k, name)


def _threshold(phases: Phases) -> Threshold | None:
    share, values = phases.model.get("threshold"), phases.scores.values()
    if not isinstance(share, int | float) or len(values) < 2:
        return None
    worst, best = min(values), max(values)
    return Threshold(float(share), worst + float(share) * (best - worst))
