"""Tracked: online phases and their predictors, as the page is given them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phasemark.errors import counted
from phasemark.views.analysis import Analysis
from phasemark.views.text import percent
from phasemark.views.tracked import Tracked
from phasemark.views.tracked import tracked as look

#: Online phases in the table.
_MOST = 12


def tracked(analysis: Analysis) -> dict[str, Any] | None:
    """A sentence, the largest online phases, how often predictors are right; null without tracking."""
    if analysis.tracked is None:
        return None
    shown = look(analysis)
    weights = analysis.signatures.weights
    shares = shown.phases.shares(weights)
    lasting = [phase for phase in range(shown.phases.k) if phase != shown.transition]
    largest = sorted(lasting, key=lambda phase: (-shares[phase], phase))[:_MOST]
    return {
        "said": _said(shown, float(shares.sum() - shares[lasting].sum())),
        "phases": [
            {
                "phase": phase,
                "share": float(shares[phase]),
                "intervals": int((shown.phases.labels == phase).sum()),
                "own": shown.partners[phase],
                "part": _part(analysis, shown, phase),
            }
            for phase in largest
        ],
        "predictors": [
            {
                "name": one.predictor,
                "values": [
                    None if math.isnan(share) else share
                    for share in (one.next_phase, one.at_changes, one.alarms, one.run_length)
                ],
            }
            for one in shown.accuracy
        ],
        "foretold": [shown.accuracy[0].intervals, shown.accuracy[0].changes],
    }


def _said(shown: Tracked, moving: float) -> str:
    lasting = shown.phases.k - (shown.transition is not None)
    said = f"{counted(lasting, 'phase')} when each interval is classified as it ends"
    if shown.transition is not None:
        said += f", {percent(moving)} of the instructions in transition"
    if shown.agreement is None:
        return f"{said}. They are the phases of this page."
    return f"{said}. Their adjusted Rand index with the phases of this page is {shown.agreement:.2f}."


def _part(analysis: Analysis, shown: Tracked, phase: int) -> float:
    """How much of an online phase is of the page's phase that it mostly is."""
    mine = np.where(shown.phases.labels == phase, analysis.signatures.weights, 0.0)
    whole = float(mine.sum())
    return float(mine[analysis.phases.labels == shown.partners[phase]].sum()) / whole if whole else 1.0
