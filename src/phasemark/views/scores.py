"""Scores: by which the number of phases was chosen."""

from __future__ import annotations

from phasemark.views.analysis import Analysis


def threshold(analysis: Analysis) -> tuple[float, float] | None:
    """(t, BIC that sufficed = min + t (max - min)); None where no threshold chose k."""
    t, scores = analysis.phases.model.get("threshold"), analysis.phases.scores.values()
    if not isinstance(t, int | float) or len(scores) < 2:
        return None
    return float(t), min(scores) + float(t) * (max(scores) - min(scores))
