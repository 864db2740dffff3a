"""A comparison of models that a person can check."""

from __future__ import annotations

import math

from phasemark.store.models_csv import FitRow, PointsRow
from phasemark.views.compared import Compared

_FITS = (
    FitRow("simpoint", "projected", 4, 1, 4, -2.0, -2.1),
    FitRow("hmm", "full", 4, 1, 4, -1.8, -1.9),
    FitRow("hmm", "full", 4, 2, 3, -1.6, -1.7),
    FitRow("hmm", "full", 8, 1, 6, -1.5, -1.8),
)


def _points(fit: FitRow, method: str, estimator: str, error: float) -> PointsRow:
    return PointsRow(*fit.key, method, estimator, fit.used, 0.1, 2.0, 1.9, 2.1, -0.01, error)


def compared(by_interval: bool = True) -> Compared:
    """SimPoint with 4 phases; a hidden Markov model of 4 states from two seeds, and of 8."""
    ways = (("obs-model-dist-1", "epm1"), ("cluster-center", "epm1"), ("max-posterior", "epm2"))
    rows = [_points(_FITS[0], "nearest", "epm1", 0.08 if by_interval else math.nan)]
    for fit, error in zip(_FITS[1:], (0.2, 0.1, 0.05), strict=True):
        rows += [_points(fit, *way, error if by_interval else math.nan) for way in ways]
    return Compared(_FITS, tuple(rows), "cpi")
